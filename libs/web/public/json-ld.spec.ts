import { scriptJson } from './json-ld';

// PAGE-31
describe('JSON in a script element', () => {
  it.each(['</script><script>alert(1)</script>', '<!--', ']]>', '&lt;', '\u2028\u2029'])(
    'cannot end the element or begin another element: %j',
    (text) => {
      const json = scriptJson({ name: text });
      expect(json).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(json)).toEqual({ name: text });
    },
  );
});
