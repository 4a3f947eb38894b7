import { installSnap } from '@metamask/snaps-jest';
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { FIRST_FRAME } from '../../dev/gallery/screen';
import manifest from '../../snap.manifest.json';
import { News, Welcome } from '../../src/home/greeting';
import { textOf, translate } from '../support/view';

/** Draws a page of the welcome dialog; `number` counts the times it was drawn. */
const step = (page: number, number: number): JSXElement =>
  Welcome({ translate }).draw({ ...FIRST_FRAME, page, number });

describe('the first run', () => {
  it('welcomes a new user in three steps, forwards and backwards', async () => {
    const snap = await installSnap();
    const installing = snap.onInstall();
    // Gets the dialog again for every click, because a handle keeps its first content.
    const click = async (name: string): Promise<void> => {
      const dialog = await installing.getInterface();
      await dialog.clickElement(name);
    };
    const shown = async (): Promise<unknown> => installing.getInterface();
    expect(await shown()).toRender(step(0, 1));
    await click('page:1:1');
    expect(await shown()).toRender(step(1, 2));
    await click('page:2:2');
    expect(await shown()).toRender(step(2, 3));
    await click('page:1:3');
    expect(await shown()).toRender(step(1, 4));
    await click('page:2:4');
    await click('refuse');
    expect(await installing).toRespondWith(null);
  });

  it('does not welcome the same user again', async () => {
    const snap = await installSnap();
    const installing = snap.onInstall();
    const dialog = await installing.getInterface();
    await dialog.clickElement('refuse');
    expect(await installing).toRespondWith(null);
    expect(await snap.onInstall()).toRespondWith(null);
  });

  it("shows the news after an update, with the package's version", async () => {
    const snap = await installSnap();
    const updating = snap.onUpdate();
    const dialog = await updating.getInterface();
    expect(dialog).toRender(News({ translate, version: manifest.version }));
    await dialog.clickElement('refuse');
    expect(await updating).toRespondWith(null);
  });

  it('speaks English to a user of an unsupported language', async () => {
    const snap = await installSnap({ options: { locale: 'el' } });
    const installing = snap.onInstall();
    const dialog = await installing.getInterface();
    expect(JSON.stringify(dialog.content)).toContain(textOf('welcome.title'));
    await dialog.clickElement('refuse');
    await installing;
  });
});
