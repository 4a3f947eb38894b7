import { stringToHex } from 'viem';

import { REQUEST_ID, submission } from '../../../../dev/wallet/keyring-requests';
import { callersOf } from '../../../support/callers';
import { openHome } from '../../../support/home-bench';
import type { HomeBench } from '../../../support/home-bench';
import { createAccount, createTestApp, refuse } from '../../../support/test-app';
import { namesOf, textOf, textsOf, writeView } from '../../../support/view';

const APPROVE = `home.requests.approve:${REQUEST_ID}`;

/** A message of MetaMask's that waits, and the tab that lists it. */
async function setup(): Promise<HomeBench> {
  const app = createTestApp();
  const account = await createAccount(app);
  await app.services.store.update((state) => ({
    ...state,
    settings: { ...state.settings, approvalMode: 'asynchronous' },
  }));
  const asked = submission({
    account: account.id,
    method: 'personal_sign',
    params: [stringToHex('hello'), account.address],
  });
  await callersOf(app).keyring('metamask', asked.method, asked.params);
  const home = await openHome(app);
  await home.click('home.frame.tab:requests');
  return home;
}

const emitted = ({ app }: HomeBench): string[] =>
  app.edges.events.emitted.map(([event]) => event);

describe('the tab of requests', () => {
  it('says that none waits, and that MetaMask’s are answered at once', async () => {
    const home = await openHome();
    await home.click('home.frame.tab:requests');
    expect(home.texts()).toContain(textOf('requests.none'));
    expect(home.texts()).toContain(textOf('requests.synchronous'));
  });

  it('lists what waits', async () => {
    const home = await setup();
    expect(home.texts()).toContain(textOf('message.title'));
    expect(home.texts()).toContain('metamask');
    expect(home.texts()).not.toContain(textOf('requests.synchronous'));
    expect(namesOf(home.page(), 'Button')).toContain(APPROVE);
  });

  it('shows what is signed before it is, and gives MetaMask the signature', async () => {
    const home = await setup();
    home.restart();
    await home.click(APPROVE);
    const { shown } = home.app.edges.dialogs;
    expect(shown).toHaveLength(1);
    expect(writeView(shown[0])).toContain('hello');
    expect(emitted(home)).toContain('notify:requestApproved');
    expect(home.notices()).toStrictEqual([textOf('requests.approved')]);
    expect(home.texts()).toContain(textOf('requests.none'));
  });

  it('says of who asks that MetaMask says so', async () => {
    const home = await setup();
    await home.click(APPROVE);
    const texts = textsOf(home.app.edges.dialogs.shown);
    expect(texts[texts.indexOf(textOf('field.originTold')) + 1]).toBe('metamask');
    expect(texts).not.toContain(textOf('field.origin'));
  });

  it('lets it wait on if its confirmation is refused', async () => {
    const home = await setup();
    home.app.edges.dialogs.answer = refuse;
    await home.click(APPROVE);
    expect(home.notices()).toStrictEqual([textOf('home.refused')]);
    expect(namesOf(home.page(), 'Button')).toContain(APPROVE);
    expect(emitted(home)).not.toContain('notify:requestApproved');
  });

  it('rejects without another question', async () => {
    const home = await setup();
    await home.click(`home.requests.reject:${REQUEST_ID}`);
    expect(home.app.edges.dialogs.shown).toStrictEqual([]);
    expect(emitted(home)).toContain('notify:requestRejected');
    expect(home.notices()).toStrictEqual([textOf('requests.rejected')]);
    expect(home.texts()).toContain(textOf('requests.none'));
  });

  it('says that a request does not wait any more', async () => {
    const home = await setup();
    await home.app.services.requests.reject(REQUEST_ID);
    await home.click(APPROVE);
    expect(home.notices()[0]).toContain('waits for approval');
  });
});
