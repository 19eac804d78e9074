/** A module for `node --require`. After SIGWINCH, the next child process cannot start: its program is missing. */
const program = process.execPath;
let nextStartFails = false;
process.on('SIGWINCH', () => (nextStartFails = true));
Object.defineProperty(process, 'execPath', {
  get() {
    const name = nextStartFails ? '/nonexistent' : program;
    nextStartFails = false;
    return name;
  },
});
