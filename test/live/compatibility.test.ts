// Wallets older or newer than the snap. An older one refuses to install it and says why. A newer
// one gets an error for each method that the snap does not know, and nothing else breaks.
import { jest } from '@jest/globals';
import newest from '@metamask/snaps-sdk-new/package.json' with { type: 'json' };

import { INSIGHT_SNAP } from '../../dev/build/build';
import { DEV_SNAP } from '../../dev/wallet/options';
import type { startWallet } from '../../dev/wallet/wallet';
import { startAnvil } from '../fixtures/wallet/anvil';
import type { TestChain } from '../fixtures/wallet/anvil';
import { setupAccountBench } from '../support/account-bench';
import { refusalOf } from '../support/refusal';
import { textOf } from '../support/view';

/** Replaces a MetaMask package during `run`; `parts` are the package's entry points. */
async function withPackage(
  [name, other]: readonly [string, string],
  parts: readonly string[],
  run: (start: typeof startWallet) => Promise<void>,
): Promise<void> {
  await jest.isolateModulesAsync(async () => {
    for (const part of parts) {
      jest.doMock(`@metamask/${name}${part}`, () =>
        jest.requireActual(`@metamask/${other}${part}`),
      );
    }
    const { startWallet: start } = await import('../../dev/wallet/wallet');
    await run(start);
  });
  for (const part of parts) jest.dontMock(`@metamask/${name}${part}`);
}

describe('the built snap', () => {
  let chain: TestChain;

  beforeAll(async () => {
    chain = await startAnvil();
  });

  afterAll(() => chain?.stop());

  it.each([
    [DEV_SNAP, 'home.tab.accounts'],
    [INSIGHT_SNAP, 'home.insight.safes'],
  ] as const)('in %s runs on the newest SDK', async (snapFolder, text) => {
    const parts = ['', '/jsx', '/package.json'];
    await withPackage(['snaps-sdk', 'snaps-sdk-new'], parts, async (start) => {
      const wallet = await start({ chain, snapFolder });
      try {
        const status = await wallet.perform({ method: 'snap_getClientStatus' });
        expect(status).toMatchObject({ platformVersion: newest.version });
        const home = await wallet.openHomePage();
        expect(home.text).toContain(textOf(text));
      } finally {
        await wallet.stop();
      }
    });
  });

  it('is rejected by an older SnapController, with the reason', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const older = ['snaps-controllers', 'snaps-controllers-old'] as const;
    await withPackage(older, ['', '/node'], async (start) => {
      const { message } = await refusalOf(start({ chain }));
      expect(message).toMatch(
        /requires platform version "11\.1\.0" which is greater than the current platform version "10\.4\.0"/u,
      );
    });
  });
});

describe('a wallet that is newer than the snap', () => {
  const bench = setupAccountBench();

  it.each(['keyring_v99', 'keyring_setSelectedAccountGroups', 'keyring_', 'toString'])(
    'gets an error for %s, and nothing else is affected',
    async (method) => {
      const { address } = await bench.create();
      const params = { accounts: [address], future: { deep: [null, 1] } };
      const [refusal, signer] = await Promise.all([
        refusalOf(bench.wallet.metamaskKeyring({ method, params })),
        bench.sign(address),
      ]);
      expect(refusal).toStrictEqual({
        code: 4200,
        message: `The method "${method}" is unknown.`,
      });
      expect(signer).toBe(address);
      expect(bench.wallet.isRunning()).toBe(true);
    },
  );
});
