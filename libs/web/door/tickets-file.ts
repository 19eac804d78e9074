import type { Readable } from 'node:stream';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { PrintedTicket } from '#areas/participation/door.commands';
import { lazily } from '#platform/loading/lazily';
import { withoutControls } from '#platform/text/characters';
import { qrModules } from '#platform/text/qr-code';

/** The content of every page, in the language of the reader. */
export interface TicketsDocument {
  readonly title: string;
  /**
   * The kind of document. The PDF's title is the event's title, a dash and this name. The dash makes the title
   * non-ASCII, so PDF stores it encoded and nothing in it can be read as a command.
   */
  readonly name: string;
  /** Lines below the title: time, place, organizer. */
  readonly facts: readonly string[];
  /** The instruction for the code, and the text on a used ticket. */
  readonly hint: string;
  readonly usedWord: string;
  readonly locale: string;
  readonly tickets: readonly PrintedTicket[];
}

const pdfkit = lazily<typeof import('pdfkit')>(__filename, 'pdfkit');
const { resolve } = createRequire(__filename);
/** DejaVu Sans: free, with the letters of Czech. */
const FONTS = {
  plain: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf'),
};

/** In points. A page has the size A6, so four pages fit on a sheet of A4. */
const MARGIN = 24;
const CODE = 168;
const TITLE_LINES = 56;
const INK = '#000000';
/** After this many pages, other requests are processed. */
const AT_ONCE = 5;

/**
 * A PDF with a page per ticket, as a stream. Pages are drawn while it is read, so 500 of them do not block other
 * requests; closing the stream ends the work.
 */
export function ticketsFile(document: TicketsDocument): Readable {
  const Pdf = pdfkit();
  const pdf = new Pdf({
    size: 'A6',
    margin: MARGIN,
    autoFirstPage: false,
    lang: document.locale,
    info: { Title: `${plain(document.title)} – ${document.name}` },
  });
  void draw(pdf, document).catch((error: unknown) =>
    pdf.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return pdf;
}

async function draw(
  pdf: PDFKit.PDFDocument,
  { title, facts, hint, usedWord, tickets }: TicketsDocument,
): Promise<void> {
  for (const [i, { code, used }] of tickets.entries()) {
    if (i % AT_ONCE === 0) await setImmediate();
    if (pdf.destroyed) return;
    pdf.addPage();
    const width = pdf.page.width - 2 * MARGIN;
    pdf.fillColor(INK).font(FONTS.bold).fontSize(16).text(plain(title), { width, height: TITLE_LINES, ellipsis: true });
    pdf.moveDown(0.3).font(FONTS.plain).fontSize(9);
    for (const fact of facts) pdf.text(plain(fact), { width, height: 24, ellipsis: true });
    const top = pdf.page.height - MARGIN - CODE - 52;
    drawCode(pdf, code, (pdf.page.width - CODE) / 2, top);
    pdf
      .fillColor(INK)
      .font(FONTS.mono)
      .fontSize(14)
      .text(code, MARGIN, top + CODE + 6, { width, align: 'center', lineBreak: false });
    pdf
      .font(FONTS.plain)
      .fontSize(8)
      .text(used ? usedWord : hint, MARGIN, top + CODE + 28, { width, align: 'center', height: 24, ellipsis: true });
  }
  pdf.end();
}

function drawCode(pdf: PDFKit.PDFDocument, code: string, left: number, top: number): void {
  const rows = qrModules(code);
  const module = CODE / rows.length;
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries()) if (dark) pdf.rect(left + x * module, top + y * module, module, module);
  pdf.fill(INK);
}

/** The text on one line, without control characters and without emoji, which the font would show as empty boxes. */
function plain(text: string): string {
  return withoutControls(text)
    .replace(/[\p{Extended_Pictographic}\p{Surrogate}\ufe0f\u200d]|[\u{10000}-\u{10ffff}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
