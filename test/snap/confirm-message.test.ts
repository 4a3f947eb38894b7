import type { JSXElement } from '@metamask/snaps-sdk/jsx';
import { stringToHex } from 'viem';

import type { Hex } from '../../src/eth/hex';
import { MessageConfirmation } from '../../src/ui/confirm/message';
import type { MessageView } from '../../src/ui/confirm/message';
import { DAPP, installBench, refusalIn, resultIn } from '../support/snap-bench';
import type { Answer, Clicks } from '../support/snap-bench';
import { textOf, translate, warningsOf } from '../support/view';

type Bench = {
  account: Hex;
  view: (text: string, found?: Partial<MessageView>) => JSXElement;
  sign: (
    text: string,
    clicks: Clicks,
  ) => Promise<{ answer: Answer; content: JSXElement }>;
};

async function setup(): Promise<Bench> {
  const { create, confirm } = await installBench();
  const account = (await create()).address as Hex;
  await confirm({ method: 'eth_requestAccounts' }, ['approve']);
  return {
    account,
    view: (text, found = {}) =>
      MessageConfirmation({
        translate,
        origin: DAPP,
        account,
        message: new TextEncoder().encode(text),
        ...found,
      }),
    sign: (text, clicks) =>
      confirm(
        { method: 'personal_sign', params: [stringToHex(text), account] },
        clicks,
      ),
  };
}

describe('the dialog of a message', () => {
  it('is drawn as its view, and signs when it is approved', async () => {
    const { sign, view } = await setup();
    const { answer, content } = await sign('hello', ['approve']);
    expect({ content }).toRender(view('hello'));
    expect(resultIn(answer)).toMatch(/^0x[0-9a-f]{130}$/u);
  });

  it('signs nothing when it is refused', async () => {
    const { sign } = await setup();
    const { answer } = await sign('hello', ['refuse']);
    expect(refusalIn(answer)).toHaveProperty('code', 4001);
  });

  it('shows markdown as it is written', async () => {
    const { sign, view } = await setup();
    const text = '**bold** _italic_ [a link](https://evil.example) # title\n- item';
    const { content } = await sign(text, ['refuse']);
    expect({ content }).toRender(view(text));
    expect(JSON.stringify(content)).toContain(JSON.stringify(text).slice(1, -1));
  });

  it("warns of another site's sign-in", async () => {
    const { sign, account } = await setup();
    const address = account.toLowerCase();
    const text = [
      'opensea.io wants you to sign in with your Ethereum account:',
      `${address}\n\nWelcome.\n\nURI: https://opensea.io`,
      'Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2020-01-01T00:00:00Z',
    ].join('\n');
    const { content } = await sign(text, ['refuse']);
    expect(warningsOf(content)).toContain(
      textOf('siwe.otherDomain', { domain: 'opensea.io', origin: DAPP }),
    );
  });
});
