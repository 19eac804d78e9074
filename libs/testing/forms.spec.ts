import { formsOf } from './forms';

describe('the fields that a browser would send for a form', () => {
  it.each([
    ['<input data-name="a" name="b" data-value="1" value="2" data-type="submit">', [['b', '2']]],
    [
      '<input type="checkbox" name="a" value="checked"><input type="checkbox" name="b" value="1" checked>',
      [['b', '1']],
    ],
    ['<select name="place"><option>Praha</option><option value="b">Brno</option></select>', [['place', 'Praha']]],
    [
      '<select name="place"><option value="">–</option><option selected> Ústí &amp;\n Labe </option></select>',
      [['place', 'Ústí & Labe']],
    ],
    [
      '<select name="place"><option value="" data-selected="1">–</option><option value="b" selected>Brno</option></select>',
      [['place', 'b']],
    ],
  ])('are read from %s', (content, fields) => {
    expect(formsOf(`<form data-action="/no" action="/yes" method="post">${content}</form>`)).toMatchObject([
      { action: '/yes', fields },
    ]);
  });
});
