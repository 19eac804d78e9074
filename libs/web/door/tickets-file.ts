import type { Readable } from 'node:stream';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { PrintedTicket } from '#areas/participation/tickets.service';
import { lazily } from '#platform/loading/lazily';
import { withoutControls } from '#platform/text/characters';
import { qrModules } from '#platform/text/qr-code';

/** The tickets, and the texts that are on every page of the PDF, in the language of the reader. */
export interface TicketsDocument {
  readonly title: string;
  /**
   * The content of the document in a word, for example “Tickets”. The PDF's title is the event's title, a dash and this
   * text. Because of the dash, the PDF's title is not ASCII. The PDF library therefore encodes the title, so no part of
   * the title can be read as a PDF command.
   */
  readonly documentName: string;
  /** Lines below the title: time, place, organizer. */
  readonly facts: readonly string[];
  /** How to use the code. A used ticket shows `usedWord` in place of this text. */
  readonly hint: string;
  readonly usedWord: string;
  readonly locale: string;
  readonly tickets: readonly PrintedTicket[];
}

const pdfkit = lazily<typeof import('pdfkit')>(__filename, 'pdfkit');
const { resolve } = createRequire(__filename);
/** DejaVu Sans: a free font that contains all Czech letters. */
const FONTS = {
  plain: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf'),
};

/** Sizes in points. A page has the size A6, so four pages fit on a sheet of A4. */
const MARGIN_PT = 24;
const CODE_SIZE_PT = 168;
const TITLE_HEIGHT_PT = 56;
const INK = '#000000';
/** Number of pages after which the drawing pauses, so that other requests are processed. */
const PAGES_PER_TURN = 5;

/**
 * A PDF with a page per ticket, as a stream. The drawing pauses after every `PAGES_PER_TURN` pages, so 500 pages do not
 * block other requests. Closing the stream stops the drawing.
 */
export function ticketsFile(document: TicketsDocument): Readable {
  const Pdf = pdfkit();
  const pdf = new Pdf({
    size: 'A6',
    margin: MARGIN_PT,
    autoFirstPage: false,
    lang: document.locale,
    info: { Title: `${plain(document.title)} – ${document.documentName}` },
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
    if (i % PAGES_PER_TURN === 0) await setImmediate();
    if (pdf.destroyed) return;
    pdf.addPage();
    const width = pdf.page.width - 2 * MARGIN_PT;
    pdf
      .fillColor(INK)
      .font(FONTS.bold)
      .fontSize(16)
      .text(plain(title), { width, height: TITLE_HEIGHT_PT, ellipsis: true });
    pdf.moveDown(0.3).font(FONTS.plain).fontSize(9);
    for (const fact of facts) pdf.text(plain(fact), { width, height: 24, ellipsis: true });
    const top = pdf.page.height - MARGIN_PT - CODE_SIZE_PT - 52;
    drawCode(pdf, code, (pdf.page.width - CODE_SIZE_PT) / 2, top);
    pdf
      .fillColor(INK)
      .font(FONTS.mono)
      .fontSize(14)
      .text(code, MARGIN_PT, top + CODE_SIZE_PT + 6, { width, align: 'center', lineBreak: false });
    pdf
      .font(FONTS.plain)
      .fontSize(8)
      .text(used ? usedWord : hint, MARGIN_PT, top + CODE_SIZE_PT + 28, {
        width,
        align: 'center',
        height: 24,
        ellipsis: true,
      });
  }
  pdf.end();
}

function drawCode(pdf: PDFKit.PDFDocument, code: string, left: number, top: number): void {
  const rows = qrModules(code);
  const size = CODE_SIZE_PT / rows.length;
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries()) if (dark) pdf.rect(left + x * size, top + y * size, size, size);
  pdf.fill(INK);
}

/**
 * Puts a text on one line. Removes control characters, emoji and all characters above U+FFFF, which the font would show
 * as empty boxes. The listed symbols are not removed: Unicode counts them as emoji, but the font contains them.
 */
function plain(text: string): string {
  return withoutControls(text)
    .replace(/(?![©®™☀☎☕☺♀♂♠♣♥♦♿✈✉✔❤➡])\p{Extended_Pictographic}/gu, '')
    .replace(/[\p{Surrogate}\ufe0f\u200d]|[\u{10000}-\u{10ffff}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
