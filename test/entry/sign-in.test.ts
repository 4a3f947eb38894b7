// Sign-in messages (EIP-4361): one that is not written as the standard says is announced as
// malformed before it is signed.
import { getAddress, verifyMessage } from 'viem';
import type { Hex } from 'viem';

import { signIn } from '../fixtures/trust/messages';
import { callersOf } from '../support/callers';
import { createAccount, createTestApp, DAPP } from '../support/test-app';
import { textOf, warningsOf } from '../support/view';

/** Signs a message for a site and returns the warnings of its dialog. */
async function sign(toText: (address: Hex) => string) {
  const app = createTestApp();
  const { rpc } = callersOf(app);
  await createAccount(app);
  const [address] = (await rpc(DAPP, 'eth_requestAccounts')) as [Hex];
  const message = toText(address);
  const signature = (await rpc(DAPP, 'personal_sign', [message, address])) as Hex;
  return {
    warnings: warningsOf(app.edges.dialogs.shown.at(-1)),
    isValid: await verifyMessage({ address, message, signature }),
  };
}

const ofDapp = (address: Hex): string =>
  signIn({ domain: 'dapp.example', uri: 'https://dapp.example', address });

describe('a sign-in message', () => {
  it('that follows the standard raises no warning', async () => {
    expect(await sign(ofDapp)).toStrictEqual({ warnings: [], isValid: true });
  });

  it('may have the address as eth_accounts returns it', async () => {
    const asked = await sign((address) =>
      ofDapp(address).replace(getAddress(address), address),
    );
    expect(asked).toStrictEqual({ warnings: [], isValid: true });
  });

  it.each<[string, (text: string) => string]>([
    ['a day that does not exist', (text) => withTime(text, '2022-02-31T17:09:38Z')],
    ['29 February of a common year', (text) => withTime(text, '2021-02-29T00:00:00Z')],
    ['the hour 24', (text) => withTime(text, '2021-01-01T24:00:00Z')],
    [
      'an IP literal that is none',
      (text) => text.replace('dapp.example wants', '[:::1] wants'),
    ],
  ])('with %s is announced as malformed', async (_what, change) => {
    const { warnings, isValid } = await sign((address) => change(ofDapp(address)));
    expect(warnings).toStrictEqual([textOf('siwe.malformed')]);
    expect(isValid).toBe(true);
  });
});

function withTime(text: string, time: string): string {
  return text.replace(/Issued At: .*/u, `Issued At: ${time}`);
}
