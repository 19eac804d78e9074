/** The address of the service, and the `client_id` that the service gave this app at its registration (README.md). */
export const baseUrl = 'http://127.0.0.1:3000';
export const clientId = 'the client_id';
