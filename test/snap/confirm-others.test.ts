// Dialogs that no site's signing request shows: the second confirmation of what MetaMask has
// confirmed, and what became of calls, which asks for nothing.
import type { Hex } from 'viem';
import { stringToHex, keccak256 } from 'viem';

import { CallsStatusView } from '../../src/ui/confirm/calls-status';
import { DAPP, refusalIn, resultIn } from '../support/snap-bench';
import type { Answer } from '../support/snap-bench';
import { openWorld } from '../support/snap-world';
import type { Gesture, World } from '../support/snap-world';
import { TO } from '../support/transactions';
import { textOf, translate, writeView } from '../support/view';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.stop();
});

describe('the second confirmation', () => {
  /** Have MetaMask ask for a message, and answer the dialog. */
  async function submit(how: Gesture): Promise<{ answer: Answer; text: string }> {
    const { id: account, address } = world.eoa;
    const params = [stringToHex('hello'), address];
    const asked = { account, method: 'personal_sign', params };
    const answers: Answer[] = [];
    const content = await world.press(async () => {
      answers.push(await world.submit(asked));
    }, how);
    const [answer] = answers;
    if (!answer) throw new Error('There was no answer.');
    return { answer, text: writeView(content) };
  }

  beforeAll(async () => {
    const settings = [{ secondConfirmation: true }];
    await world.manage('tollkeeper_setSettings', settings);
  });

  it('says that MetaMask tells who asks, and signs when it is approved', async () => {
    const { answer, text } = await submit('approve');
    for (const part of [textOf('field.originTold'), 'metamask', 'hello']) {
      expect(text).toContain(part);
    }
    expect(resultIn(answer)).toMatchObject({ pending: false });
  });

  it.each(['refuse', 'close'] as const)('signs nothing: %s', async (how) => {
    const { answer } = await submit(how);
    expect(refusalIn(answer)).toHaveProperty('code', 4001);
  });
});

describe('the dialog of what became of calls', () => {
  it('is drawn as its view, and only closed', async () => {
    const { address: from } = world.eoa;
    const calls = [{ to: TO, value: '0x1' }];
    const batch = {
      version: '2.0.0',
      from,
      chainId: '0x1',
      atomicRequired: false,
      calls,
    };
    const sending = { method: 'wallet_sendCalls', params: [batch] };
    const { id } = resultIn((await world.ask(sending, 'approve')).answer) as {
      id: string;
    };
    const method = 'wallet_showCallsStatus';
    const showing = world.snap.request({ origin: DAPP, method, params: [id] });
    const dialog = await showing.getInterface();
    const hash: Hex = keccak256(world.sent.at(-1) ?? '0x');
    const sent = [{ hash, state: 'pending' }] as const;
    expect(dialog).toRender(
      CallsStatusView({ translate, id, chain: 'eip155:1', status: 100, sent }),
    );
    if (!('ok' in dialog)) throw new Error('It cannot be closed.');
    await dialog.ok();
    expect(await showing).toRespondWith(null);
  });
});
