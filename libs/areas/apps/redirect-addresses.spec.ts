import { formActionOf, isNative, redirectTarget } from './redirect-addresses';

// APP-9
describe('a redirect address of an app', () => {
  it.each([
    ['https://app.example.org/cb', { kind: 'site', host: 'app.example.org' }],
    ['https://app.example.org:8443/cb?a=b@c', { kind: 'site', host: 'app.example.org:8443' }],
    ['HTTPS://App.Example.org', { kind: 'site', host: 'app.example.org' }],
    ['http://127.0.0.1/cb', { kind: 'computer' }],
    ['http://127.0.0.1:65535', { kind: 'computer' }],
    ['http://[::1]:4000/cb', { kind: 'computer' }],
    ['http://localhost?here', { kind: 'computer' }],
    ['cz.example.app:/cb', { kind: 'scheme', scheme: 'cz.example.app' }],
    ['com.example-2.app://cb', { kind: 'scheme', scheme: 'com.example-2.app' }],
  ])('may be %s', (address, target) => {
    expect(redirectTarget(address)).toEqual(target);
  });

  it.each([
    '',
    '/cb',
    'app.example.org/cb',
    'http://app.example.org/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://127.0.0.1.example.org/cb',
    'http://localhost.example.org/cb',
    'http://localhost:4000.example.org/cb',
    'http://[::2]/cb',
    'https:app.example.org/cb',
    'https:///app.example.org/cb',
    'https://user@app.example.org/cb',
    'https://:password@app.example.org/cb',
    'https://@app.example.org/cb',
    'cz.example.app://user@host/cb',
    'https://app.example.org/cb#part',
    'https://app.example.org/cb#',
    'https://*.example.org/cb',
    'https://app.example.org/*',
    'https://app.example.org/a b',
    'https://app.example.org\\cb',
    'https://app.example.org/ž',
    'https://app.example.org/\u007f',
    'myapp:/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    '.app:/cb',
    'app.:/cb',
  ])('may not be %j', (address) => {
    expect(redirectTarget(address)).toBeNull();
  });

  it('makes the app native if the address is on the local computer or has a private-use scheme', () => {
    const site = 'https://app.example.org/cb';
    expect([isNative([]), isNative([site]), isNative([site, 'http://localhost/cb'])]).toEqual([false, false, true]);
    expect(isNative(['cz.example.app:/cb', site])).toBe(true);
  });

  // APP-12
  it.each([
    ['https://app.example.org:8443/cb?a=b', 'https://app.example.org:8443'],
    ['http://localhost:4000/cb', 'http://localhost:4000'],
    ['http://[::1]:4000/cb', 'http:'],
    ['cz.example.app:/cb', 'cz.example.app:'],
  ])('%s is allowed by the source %s in the Content-Security-Policy of the consent page', (address, source) => {
    expect(formActionOf(address)).toBe(source);
  });
});
