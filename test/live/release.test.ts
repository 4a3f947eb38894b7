// The release build in MetaMask's SnapController: MetaMask and the user can manage it, but no web
// page can. Also compares the release and development builds.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { Json } from '@metamask/utils';

import { createSnapSite, type SnapSite } from '../../dev/demo/world';
import { COMPANION_ORIGIN, DEV_SNAP } from '../../dev/wallet/options';
import { startWallet } from '../../dev/wallet/wallet';
import type { Wallet } from '../../dev/wallet/wallet';
import { routes } from '../../src/routes';
import type { Route } from '../../src/routes';
import { refusalOf } from '../support/refusal';
import { textOf } from '../support/view';

const PLANTED = `0x${'ba'.repeat(20)}`;

const companionMethods = Object.entries<Route>(routes)
  .filter(([, { by }]) => by.includes('companion') && !by.includes('dapp'))
  .map(([method]) => method);

/** Params for the most harmful methods. */
const params: Record<string, Json> = {
  tollkeeper_setChain: [{ chainId: 1, factory: PLANTED }],
  tollkeeper_setSettings: [{ secondConfirmation: false, approvalMode: 'asynchronous' }],
  keyring_createAccount: { options: {} },
};

let wallet: Wallet;
let page: SnapSite;

beforeAll(async () => {
  // No test here needs a chain.
  const chain = { url: 'http://127.0.0.1:9' };
  wallet = await startWallet({ snapFolder: '.', chain });
  // Any program on the user's machine can serve a page from this origin.
  page = createSnapSite(wallet, COMPANION_ORIGIN);
});

afterAll(async () => wallet.stop());

async function callAsMetaMask(method: string, given?: Json): Promise<Json> {
  const request = { jsonrpc: '2.0', id: crypto.randomUUID(), method };
  return wallet.metamaskKeyring({
    ...request,
    ...(given && { params: given }),
  } as never);
}

describe('the release', () => {
  it('cannot be managed by a page on this machine', async () => {
    const { snap, keyring } = page;
    const before = await wallet.state();
    expect(companionMethods.length).toBeGreaterThan(10);
    for (const method of companionMethods) {
      const given = params[method] ?? [];
      const isOfKeyring = method.startsWith('keyring_');
      const refusal = await refusalOf(snap(method, given));
      const code = isOfKeyring ? 4200 : 4100;
      expect({ method, code: refusal.code }).toStrictEqual({ method, code });
      if (!isOfKeyring) continue;
      expect((await refusalOf(keyring(method, given))).message).toContain(
        `is not permitted to handle requests from "${COMPANION_ORIGIN}"`,
      );
    }
    expect(await wallet.state()).toStrictEqual(before);
    expect(wallet.user.dialogs).toStrictEqual([]);
  });

  it('serves MetaMask as a keyring', async () => {
    const created = await callAsMetaMask('keyring_createAccount', { options: {} });
    expect(await callAsMetaMask('keyring_listAccounts')).toStrictEqual([created]);
    const { address } = created as { address: string };
    expect(await wallet.keyring.getAccounts()).toStrictEqual([address]);
  });

  it('lets the user change settings on the home page', async () => {
    const home = await wallet.openHomePage();
    await home.click('home.frame.tab:settings');
    await home.fill('feeLevel', 'high');
    await home.submit('home.settings.save');
    expect(home.text).toContain(textOf('settings.saved'));
    expect(await wallet.state()).toMatchObject({
      encrypted: { settings: { feeLevel: 'high' } },
    });
  });
});

describe('the two builds', () => {
  const read = async (path: string): Promise<string> => readFile(path, 'utf8');

  async function readManifest(root: string): Promise<Record<string, unknown>> {
    const text = await read(`${root}/snap.manifest.json`);
    const { initialPermissions } = JSON.parse(text) as {
      initialPermissions: Record<string, unknown>;
    };
    return initialPermissions;
  }

  it("have manifests that differ only in the keyring's allowed origins", async () => {
    const { 'endowment:keyring': none, ...release } = await readManifest('.');
    const { 'endowment:keyring': page, ...development } = await readManifest(DEV_SNAP);
    expect(none).toStrictEqual({});
    expect(page).toStrictEqual({ allowedOrigins: [COMPANION_ORIGIN] });
    expect(development).toStrictEqual(release);
  });

  it('have code that differs only in the configuration', async () => {
    const release = await read('dist/bundle.js');
    const development = await read(`${DEV_SNAP}/dist/bundle.js`);
    expect(release).not.toContain(COMPANION_ORIGIN);
    expect(
      development
        .replace(`companionOrigin:"${COMPANION_ORIGIN}"`, 'companionOrigin:""')
        .replace('development:"true"', 'development:""'),
    ).toBe(release);
  });

  it.each([
    ['.', 'no origin', COMPANION_ORIGIN],
    ['.', 'no origin', 'https://companion.example'],
    [DEV_SNAP, COMPANION_ORIGIN, ''],
    [DEV_SNAP, COMPANION_ORIGIN, 'https://companion.example'],
  ])(
    'fail if the manifest in %s names %s but the companion origin is "%s"',
    async (...row) => {
      const [root, named, origin] = row;
      const before = await read(`${root}/snap.manifest.json`);
      const cli = 'node_modules/@metamask/snaps-cli/dist/main.cjs';
      const env = {
        ...process.env,
        TOLLKEEPER_SNAP_ROOT: root,
        TOLLKEEPER_COMPANION_ORIGIN: origin,
        TOLLKEEPER_DEVELOPMENT: 'true',
      };
      const building = promisify(execFile)(process.execPath, [cli, 'build'], { env });
      const { stderr } = await building.catch((error: { stderr: string }) => error);
      expect(stderr).toContain(
        `lets ${named} use the keyring, but TOLLKEEPER_COMPANION_ORIGIN is "${origin}"`,
      );
      expect(await read(`${root}/snap.manifest.json`)).toBe(before);
    },
  );

  it("escape the dots in the registry's URL", async () => {
    for (const root of ['.', DEV_SNAP]) {
      expect(await read(`${root}/snap.manifest.json`)).toContain('\\u002e');
    }
  });
});
