// What a new user is told, on the screen of the dialog that MetaMask shows after installing.
import { UserInputEventType } from '@metamask/snaps-sdk';

import { createTestApp } from '../support/test-app';
import { namesOf, writeView } from '../support/view';

it('tells that installs from npm: and local: have different accounts', async () => {
  const { entry, edges } = createTestApp();
  const seen: string[] = [];
  edges.dialogs.answer = async (content, id) => {
    seen.push(writeView(content));
    if (seen.length === 3) return { approved: true, values: {} };
    const type = UserInputEventType.ButtonClickEvent;
    const pages = namesOf(edges.screens.get(id), 'Button').filter((each) =>
      each.startsWith('page:'),
    );
    const event = { type, name: String(pages.at(-1)) } as const;
    await entry.onUserInput({ id, event, context: null });
    return edges.dialogs.answer(edges.screens.get(id) ?? content, id);
  };
  await entry.onInstall({ origin: 'metamask' });
  expect(seen).toHaveLength(3);
  expect(seen[1]).toContain('An install from npm: and one from local: have different');
  expect(seen[1]).toContain('they derive different keys from the same phrase');
});
