// The first run: who is greeted, how often, and what it may not break.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { atBoundary } from '../../../src/handlers/boundary';
import { handleInstall, handleUpdate } from '../../../src/handlers/lifecycle';
import { handleUserInput } from '../../../src/handlers/user-input';
import type { PublicState } from '../../../src/state/public-state';
import { createTestApp } from '../../support/test-app';
import type { Edges } from '../../support/test-app';
import { namesOf, textOf, textsOf } from '../../support/view';

type Bench = {
  edges: Edges;
  /** The client installs or updates the snap, whose worker is a new one then. */
  happen: (
    handle: typeof handleInstall | typeof handleUpdate,
    version?: string,
  ) => Promise<unknown>;
  /** The titles of what was shown. */
  titles: () => (string | undefined)[];
  greeted: () => string | null | undefined;
};

function setup(): Bench {
  const { edges } = createTestApp();
  return {
    edges,
    happen: (handle, version = '1.2.3') => {
      const { services } = createTestApp(edges);
      const own = { ...services, version };
      return atBoundary('onInstall', () => own, handle)({ origin: 'metamask' });
    },
    titles: () => edges.dialogs.shown.map((content) => textsOf(content)[0]),
    greeted: () => (edges.publicBackend.document as PublicState | null)?.greeted,
  };
}

const WELCOME = textOf('welcome.title');

const NEWS = textOf('news.title');

describe('an installation', () => {
  it('welcomes the user, once a version', async () => {
    const { happen, titles, greeted } = setup();
    expect(await happen(handleInstall)).toBeNull();
    await happen(handleInstall);
    await happen(handleUpdate);
    expect(titles()).toStrictEqual([WELCOME]);
    expect(greeted()).toBe('1.2.3');
  });

  it('welcomes once although two come at the same time', async () => {
    const { edges, titles } = setup();
    const { services } = createTestApp(edges);
    await Promise.all([
      handleInstall(undefined, services),
      handleInstall(undefined, services),
    ]);
    expect(titles()).toStrictEqual([WELCOME]);
  });

  it('welcomes while locked as well, and touches nothing encrypted', async () => {
    const { edges, happen, titles } = setup();
    edges.clock.isLocked = true;
    await happen(handleInstall);
    expect(titles()).toStrictEqual([WELCOME]);
    const { backend } = edges;
    expect([backend.loads, backend.saves]).toStrictEqual([0, 0]);
  });

  it('does not fail if the dialog does, and does not try again', async () => {
    const { edges, happen, titles } = setup();
    edges.dialogs.answer = () => Promise.reject(new Error('no window'));
    expect(await happen(handleInstall)).toBeNull();
    expect(await happen(handleInstall)).toBeNull();
    expect(titles()).toStrictEqual([WELCOME]);
  });

  it('does not fail if the document in the clear is damaged, which stays', async () => {
    const { edges, happen, titles } = setup();
    edges.publicBackend.document = { version: 1, levels: 7 };
    expect(await happen(handleInstall)).toBeNull();
    expect(titles()).toStrictEqual([]);
    expect(edges.publicBackend.document).toStrictEqual({ version: 1, levels: 7 });
  });

  it('welcomes although the wallet takes no alarm', async () => {
    const { edges, titles } = setup();
    const { services } = createTestApp(edges);
    const tracker = { arm: () => Promise.reject(new Error('no events')) };
    await handleInstall(undefined, { ...services, tracker });
    expect(titles()).toStrictEqual([WELCOME]);
  });
});

describe('an update', () => {
  it('tells what is new in the version', async () => {
    const { edges, happen, titles, greeted } = setup();
    await happen(handleInstall);
    await happen(handleUpdate, '1.3.0');
    await happen(handleUpdate, '1.3.0');
    expect(titles()).toStrictEqual([WELCOME, NEWS]);
    const shown = textsOf(edges.dialogs.shown[1]);
    expect(shown).toContain(textOf('news.version', { version: '1.3.0' }));
    expect(greeted()).toBe('1.3.0');
  });
});

describe('the steps of the welcome', () => {
  /** Click through the welcome; gives the line below the title before each click. */
  async function click(
    ...names: string[]
  ): Promise<{ lines: unknown[]; last: unknown }> {
    const { edges } = setup();
    const { services } = createTestApp(edges);
    const lines: unknown[] = [];
    let last: JSXElement | undefined;
    edges.dialogs.answer = async (_content, id) => {
      for (const name of names) {
        lines.push(textsOf(edges.screens.get(id))[1]);
        const event = { type: 'ButtonClickEvent', name } as never;
        await handleUserInput({ id, event }, services);
      }
      last = edges.screens.get(id);
      lines.push(textsOf(last)[1]);
      return null;
    };
    await handleInstall(undefined, services);
    return { lines, last };
  }

  const step = (number: string): string =>
    textOf('welcome.step', { number, count: '3' });

  it('go on and back, in place', async () => {
    const { lines } = await click('page:1:1', 'page:2:2', 'page:1:3');
    expect(lines).toStrictEqual(['1', '2', '3', '2'].map(step));
  });

  it('end with a button that closes the dialog', async () => {
    const { last } = await click('page:1:1', 'page:2:2');
    expect(namesOf(last, 'Button')).toStrictEqual(['page:1:3', 'refuse']);
  });

  it('begin with a button that closes the dialog, too', async () => {
    const { last } = await click();
    expect(namesOf(last, 'Button')).toStrictEqual(['refuse', 'page:1:1']);
  });

  it('stay where there is no further one', async () => {
    const { lines } = await click('page:9:9', 'other');
    expect(lines).toStrictEqual(['1', '1', '1'].map(step));
  });
});
