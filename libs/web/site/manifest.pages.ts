import { Get, Query } from '@nestjs/common';
import { LOCALES, type Locale } from '#contract/vocabulary';
import { CachedFile } from '../cached-file';
import { FileController } from '../page.decorators';
import { Pages } from '../pages';
import { translator } from '../texts';

const TYPE = 'application/manifest+json; charset=utf-8';
const ICONS = [
  { file: '/web/icon-192.png', sizes: '192x192', purpose: 'any' },
  { file: '/web/icon-512.png', sizes: '512x512', purpose: 'any' },
  // This icon has a margin, because phones cut icons into different shapes.
  { file: '/web/icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const;

/**
 * /manifest.webmanifest lets people install the pages as an app (PAGE-105). Each page links to the manifest in the
 * language of the page.
 */
@FileController()
export class ManifestPages {
  constructor(private readonly pages: Pages) {}

  @Get('manifest.webmanifest')
  manifest(@Query('locale') requested: unknown): CachedFile {
    const locale: Locale = LOCALES.find((one) => one === requested) ?? 'cs';
    const say = translator(locale);
    const at = (path: string): string => this.pages.address(path);
    const manifest = {
      // The id contains no language, so that browsers treat the manifests of both languages as the same app.
      id: at('/'),
      name: say('brand'),
      short_name: say('brand'),
      description: say('explore_text'),
      lang: locale,
      start_url: at('/'),
      scope: at('/'),
      display: 'standalone',
      background_color: '#faf8f5',
      theme_color: '#faf8f5',
      icons: ICONS.map(({ file, ...icon }) => ({ src: at(file), type: 'image/png', ...icon })),
      shortcuts: [
        { name: say('my_events'), url: at('/account/events') },
        { name: say('event_new'), url: at('/events/new') },
      ],
    };
    return new CachedFile(TYPE, JSON.stringify(manifest), 'public');
  }
}
