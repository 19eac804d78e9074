import { cannotListen } from './cannot-listen';

describe('cannotListen', () => {
  it.each([
    ['EADDRINUSE', 'listen EADDRINUSE: address already in use ::1:3000', 'the port is in use'],
    ['EINVAL', 'listen EINVAL: invalid argument fe80::1:3000', 'listen EINVAL: invalid argument fe80::1:3000'],
    ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN nowhere', 'getaddrinfo EAI_AGAIN nowhere'],
  ])('describes an error of the operating system in one line: %s', (code, message, reason) => {
    const error = Object.assign(new Error(message), { code, syscall: 'listen' });
    expect(cannotListen('PORT', 3000, 'fe80::1', error)).toMatchObject({
      name: 'StartupError',
      message: `PORT 3000 on HOST fe80::1 cannot be used: ${reason}.`,
    });
  });

  it('returns other errors unchanged', () => {
    const error = new TypeError('a defect');
    expect(cannotListen('PORT', 3000, '127.0.0.1', error)).toBe(error);
  });
});
