import { maxConnections } from './connections';

// WIRE-50
describe('the maximum number of open connections', () => {
  const limits = (files: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${files}                 1048576              files     \n`;

  it.each([
    ['256', 128],
    ['1024', 896],
    ['100', 64],
    ['1048576', 10_000],
    ['unlimited', 10_000],
  ])('for a process that may open %s files is %d', (files, max) => {
    expect(maxConnections(limits(files))).toBe(max);
  });
});
