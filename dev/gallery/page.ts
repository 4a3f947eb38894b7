// The gallery's pages: every screen in a frame as wide as MetaMask's window.
import { readFileSync } from 'node:fs';

import type { Translate } from '../../src/ui/i18n';
import { drawScreen } from './draw';
import { tag, toHtml, toImageAddress } from './html';
import type { Html } from './html';
import { nameOf } from './screen';
import type { Screen } from './screen';

/** MetaMask's themes. */
export const themes = ['light', 'dark'] as const;

/** A theme. */
export type Theme = (typeof themes)[number];

/** How screens are drawn. */
export type Look = { translate: Translate; theme: Theme };

const read = (path: string): string => readFileSync(path, 'utf8');

const styles = ['theme', 'layout', 'values', 'fields'].map(
  (name) => `dev/gallery/styles/${name}.css`,
);

/** Write a page with these screens, each with its name below. */
export function writePage(screens: readonly Screen[], looks: readonly Look[]): string {
  const figures = screens.flatMap((screen) =>
    looks.map((look) => drawFigure(screen, look)),
  );
  const head = tag('head', {}, [
    { html: '<meta charset="utf-8">' },
    tag('title', {}, 'Tollkeeper: what people see'),
    { html: `<style>${styles.map(read).join('')}</style>` },
  ]);
  const body = tag('body', {}, tag('div', { class: 'shelf' }, figures));
  return `<!doctype html>${toHtml(tag('html', { lang: 'en' }, [head, body]))}`;
}

/** The id of a screen's frame in a page. */
export function idOf(screen: Screen, { translate, theme }: Look): string {
  return `${nameOf(screen)}-${translate.language}-${theme}`;
}

function drawFigure(screen: Screen, look: Look): Html {
  const id = idOf(screen, look);
  const lang = look.translate.language;
  const popup = tag('div', { id, class: `popup ${look.theme}`, lang }, [
    tag('div', { class: 'top' }, [
      tag('img', { src: toImageAddress(read('images/icon.svg')), alt: '' }),
      tag('span', {}, 'Tollkeeper'),
    ]),
    { html: drawScreen(screen.draw(look.translate)) },
  ]);
  return tag('figure', {}, [popup, tag('figcaption', {}, id)]);
}
