/** A module for `node --require`. After SIGWINCH, the next child process cannot start: its program is missing. */
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
