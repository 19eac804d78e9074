/** The address of the service, and the id of the app that is registered there (README.md). */
export const baseUrl = 'http://127.0.0.1:3000';
export const clientId = 'the client_id';
