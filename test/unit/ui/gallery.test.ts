// Every view can be looked at in the gallery, in the states that matter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import * as components from '@metamask/snaps-sdk/jsx';

import { draw, drawers, drawScreen } from '../../../dev/gallery/draw';
import { nameOf } from '../../../dev/gallery/screen';
import { allScreens } from '../../../dev/gallery/screens';
import { translatePseudo } from '../../support/pseudo-locale';
import { translate } from '../../support/view';

const folders = readdirSync('src/ui', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'components')
  .map(({ name }) => join('src/ui', name));

/** List the views of a folder: what it exports to be drawn. */
function viewsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gmu,
      ),
    ])
    .map(([, view = '']) => view);
}

/** Every source of src/ui. */
const sources = readdirSync('src/ui', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/u.test(name))
  .map((name) => readFileSync(join('src/ui', name), 'utf8'));

/** Tell whether a view is drawn by another file's: it is seen there. */
function isPart(view: string): boolean {
  const own = new RegExp(`^export (?:function|const) ${view}\\b`, 'mu');
  const use = new RegExp(`<${view}\\b|\\b${view}\\(`, 'u');
  return sources.some((text) => !own.test(text) && use.test(text));
}

describe('the gallery', () => {
  it.each(folders)('shows every view of %s', (folder) => {
    const shown = allScreens.map(({ view }) => view);
    const missing = viewsIn(folder)
      .filter((view) => !shown.includes(view) && !isPart(view))
      .map((view) => `add screensOf(${view}, { … }) to a file of dev/gallery/screens`);
    expect(missing).toStrictEqual([]);
  });

  it('names each of its screens differently', () => {
    const names = allScreens.map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][a-z0-9-]+$/u.test(name))).toEqual([]);
  });

  it.each(allScreens.map((screen) => [nameOf(screen), screen] as const))(
    'draws %s in any language',
    (_name, screen) => {
      expect(drawScreen(screen.draw(translate))).toContain('class="container');
      expect(drawScreen(screen.draw(translatePseudo))).toContain('[');
    },
  );
});

describe('the drawing of components', () => {
  it('knows every component of the SDK', () => {
    const names = Object.entries(components)
      .filter(([name, value]) => /^[A-Z]/u.test(name) && typeof value === 'function')
      .map(([name]) => name);
    expect(Object.keys(drawers).sort()).toStrictEqual(names.sort());
  });

  it('fails for what the SDK does not have', () => {
    const unknown = { type: 'Marquee', props: {}, key: null } as unknown as JSXElement;
    expect(() => draw(unknown)).toThrow(
      new Error('The gallery cannot draw a component of the type "Marquee".'),
    );
    const inherited = { type: 'toString', props: {}, key: null };
    expect(() => draw(inherited as unknown as JSXElement)).toThrow('"toString"');
  });

  it('escapes whatever a text says', () => {
    const { html } = draw(components.Text({ children: `<script>"&'</script>` }));
    expect(html).toBe(
      '<p class="text default md regular">&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;</p>',
    );
  });
});
