/** A module for `node --require`: after SIGWINCH, the next process cannot be started, because its program is missing. */
const program = process.execPath;
let fails = false;
process.on('SIGWINCH', () => (fails = true));
Object.defineProperty(process, 'execPath', {
  get() {
    const name = fails ? '/nonexistent' : program;
    fails = false;
    return name;
  },
});
