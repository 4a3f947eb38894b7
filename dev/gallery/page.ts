// Draws screens on a page, each in the frame of MetaMask's popup.
import { readFile } from 'node:fs/promises';

import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { createTranslate, languages } from '../../src/ui/i18n';
import type { Locale, Texts, Translate } from '../../src/ui/i18n';
import { drawScreen, tag, toImageAddress } from './draw';
import { nameOf, type Screen } from './screen';

export type Figure = { id: string; html: ReactElement };

const insightViews = ['HomePage', 'SignatureInsightView', 'TransactionInsightView'];

export async function loadTexts(locale: Locale): Promise<Translate> {
  const texts = await readFile(`locales/ui/${locale}.json`, 'utf8');
  return createTranslate(JSON.parse(texts) as Texts, languages[locale]);
}

export async function drawFigure(
  screen: Screen,
  translate: Translate,
): Promise<Figure> {
  const id = nameOf(screen);
  const isInsight = insightViews.includes(screen.view);
  const folder = isInsight ? 'packages/insight/images' : 'images';
  const icon = toImageAddress(await readFile(`${folder}/icon.svg`, 'utf8'));
  const bar = [
    tag('img', undefined, { src: icon, alt: '' }),
    tag('span', isInsight ? 'Tollkeeper Insight' : 'Tollkeeper'),
  ];
  const drawn = [tag('div.top', bar), drawScreen(await screen.draw(translate))];
  const popup = tag('div.popup', drawn, { id, lang: translate.language });
  return { id, html: tag('figure', [popup, tag('figcaption', id)]) };
}

export async function writePage(figures: readonly Figure[]): Promise<string> {
  const styles = await readFile('dev/gallery/gallery.css', 'utf8');
  const head = tag('head', [
    tag('meta', undefined, { charSet: 'utf-8' }),
    tag('title', 'Tollkeeper: what people see'),
    tag('style', undefined, { dangerouslySetInnerHTML: { __html: styles } }),
  ]);
  const drawn = figures.map(({ html }) => html);
  const body = tag('body', tag('div.shelf', drawn));
  const page = renderToStaticMarkup(tag('html', [head, body], { lang: 'en' }));
  return `<!doctype html>${page}`;
}
