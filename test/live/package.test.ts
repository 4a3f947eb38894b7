// The package as users get it: its contents, and imports of its entry points after an npm install,
// in plain Node and with each of TypeScript's module resolutions. Also the snap as `npm start`
// serves it, and `npm run verify`, which compares a published package with the build.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import MarkdownIt from 'markdown-it';
import { privateKeyToAccount } from 'viem/accounts';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { libraries } from '../../dev/build/libraries';
import { installPacked, packPackage, readPackage } from '../../dev/build/pack';
import { ceilings, weigh } from '../../dev/build/size';
import { unpack, verify, type Verdict } from '../../dev/release/verify';
import { KEY, SECRET, startServiceBench } from '../../dev/stack/service-bench';
import type { ServiceBench } from '../../dev/stack/service-bench';
import { startStaticServer } from '../../dev/start/serve';
import { runNode } from '../../dev/test/check';
import { DEV_SNAP } from '../../dev/wallet/options';
import { testKeys } from '../../packages/testing/src';

const HOME = 'https://host.example/owner/tollkeeper';

type Consumer = Awaited<ReturnType<typeof installInConsumer>>;

/** The compiler option `module` for each module resolution. */
const MODULES: Record<string, string> = {
  bundler: 'esnext',
  node16: 'node16',
  nodenext: 'nodenext',
};

/** Versions of Node to test: the running one and, on x64 Linux, two that the tests install. */
const NODES: [version: string, path: string][] = [
  [process.version, process.execPath],
  ...['22', '24'].flatMap((version): [string, string][] =>
    process.platform === 'linux' && process.arch === 'x64'
      ? [[version, resolve(`dev/nodes/node_modules/node-${version}/bin/node`)]]
      : [],
  ),
];

/** Installs the built package in a folder outside of the checkout. */
async function installInConsumer() {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-consumer-'));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const { files } = await installPacked(folder);
  return {
    files,
    run: async (program: string, args: string[] = [], node = process.execPath) =>
      runNode([await write('program.mjs', program), ...args], 'pipe', node),
    check: async (
      program: string,
      moduleResolution: string,
      options?: { extension: 'ts' | 'cts'; skipLibCheck: boolean },
    ) => {
      const { extension = 'ts', skipLibCheck = false } = options ?? {};
      await write(`program.${extension}`, program);
      const compilerOptions = {
        module: MODULES[moduleResolution],
        moduleResolution,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        strict: true,
        noEmit: true,
        skipLibCheck,
      };
      const config = { compilerOptions, files: [`program.${extension}`] };
      const path = await write('tsconfig.json', JSON.stringify(config));
      return runNode(['node_modules/typescript/bin/tsc', '--project', path]);
    },
    /** Links one of this checkout's packages into the folder. */
    link: async (name: string, own: string = name) => {
      const path = join(folder, 'node_modules', name);
      await mkdir(dirname(path), { recursive: true });
      await rm(path, { force: true });
      await symlink(resolve('node_modules', own), path);
    },
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}

type Source = {
  files: string[];
  locales: string[];
  location: { npm: { filePath: string; iconPath: string } };
};

/** Reads the part of a snap's manifest that names its files. */
async function readSource(root: string): Promise<Source> {
  const text = await readFile(`${root}/snap.manifest.json`, 'utf8');
  return (JSON.parse(text) as { source: Source }).source;
}

const readmes = libraries.map((name) => `packages/${name}/README.md`);

let consumer: Consumer;
let bench: ServiceBench;

beforeAll(async () => {
  const cwd = resolve('dev/nodes');
  const script = resolve('dev/install/ensure-installed.mjs');
  [consumer, bench] = await Promise.all([
    installInConsumer(),
    startServiceBench(),
    promisify(execFile)(process.execPath, [script], { cwd }),
  ]);
});

afterAll(async () => {
  await bench?.stop();
  await consumer?.remove();
});

describe('the package', () => {
  const library = (name: string): string[] =>
    ['index.cjs', 'index.d.cts', 'index.d.ts', 'index.js', 'index.js.map'].map(
      (file) => `dist/${name}/${file}`,
    );

  it('contains the snap, the libraries, and their documentation', async () => {
    const { files, locales } = await readSource('.');
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];
    expect([...consumer.files].sort()).toStrictEqual(
      [
        ...documents,
        'package.json',
        'snap.manifest.json',
        'dist/bundle.js',
        'images/icon.svg',
        ...files,
        ...locales,
        ...libraries.flatMap(library),
        ...readmes,
      ].sort(),
    );
  });

  it('has no dependencies', async () => {
    const program = `
      import { readdirSync } from 'node:fs';
      const folder = new URL('node_modules', import.meta.url);
      console.log(readdirSync(folder).filter((name) => !name.startsWith('.')));
    `;
    const { output } = await consumer.run(program);
    expect(output).toBe("[ 'tollkeeper-snap' ]\n");
  });

  it.each(libraries)('keeps %s below its size limit', async (name) => {
    for (const format of ['js', 'cjs']) {
      const { raw, gzipped } = weigh(await readFile(`dist/${name}/index.${format}`));
      expect(raw).toBeLessThanOrEqual(ceilings[name].raw);
      expect(gzipped).toBeLessThanOrEqual(ceilings[name].gzipped);
    }
  });

  it.each(libraries)('maps %s to its sources', async (name) => {
    const map = JSON.parse(await readFile(`dist/${name}/index.js.map`, 'utf8')) as {
      sources: string[];
      sourcesContent: string[];
    };
    const own = map.sources.flatMap((path, index) =>
      /^\.\.\/\.\.\/(?:packages|src)\//u.test(path)
        ? [[path.slice(6), index] as const]
        : [],
    );
    expect(own.length).toBeGreaterThan(0);
    for (const [path, index] of own) {
      expect(map.sourcesContent[index]).toBe(await readFile(path, 'utf8'));
    }
  });
});

it("packs the insight snap with its manifest's files and no others", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-insight-'));
  try {
    const { files: packed } = await packPackage(folder, { root: INSIGHT_SNAP });
    const { files, locales } = await readSource(INSIGHT_SNAP);
    const documents = ['LICENSE', 'README.md', 'package.json', 'snap.manifest.json'];
    const own = ['dist/bundle.js', 'images/icon.svg'];
    expect([...packed].sort()).toStrictEqual(
      [...documents, ...own, ...files, ...locales].sort(),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("the links on the package's pages", () => {
  const PAGES = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...readmes];

  const findLinks = async (home?: string): Promise<string[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'tollkeeper-links-'));
    try {
      const { tarball } = await packPackage(folder, { home });
      const root = await unpack(tarball, join(folder, 'package'));
      const found = PAGES.map(async (page) => {
        const text = await readFile(join(root, page), 'utf8');
        const html = new MarkdownIt({ html: true }).render(text);
        const links = html.matchAll(/\b(?:href|src|srcset)="([^"#]+)/gu);
        return [...links].map(([, link = '']) =>
          /^[a-z]+:/u.test(link) ? link : join(dirname(page), link),
        );
      });
      return (await Promise.all(found)).flat();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  it('stay in the package while the project has no repository', async () => {
    const links = await findLinks();
    const relative = links.filter((link) => !/^[a-z]+:/u.test(link));
    expect(relative).toContain('CHANGELOG.md');
    expect(relative.filter((link) => !consumer.files.includes(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(relative.length);
  });

  it("lead to files at the version's tag if the project has a repository", async () => {
    const { version } = await readPackage('.');
    const links = await findLinks(HOME);
    expect(links.filter((link) => !/^[a-z]+:/u.test(link))).toEqual([]);
    const own = links.filter((link) => link.startsWith(HOME));
    expect(own.length).toBeGreaterThan(10);
    const missing = own.filter((link) => {
      const [, , tag, ...path] = link.slice(HOME.length).split('/');
      return tag !== `v${version}` || !existsSync(path.join('/'));
    });
    expect(missing).toEqual([]);
  });
});

const IMPORTS = `
  import {
    createGasApi, createGasEndpoint, createHttpTransport, createRpcClient,
    createRpcEndpoint, HttpStatusError, InvalidResponseError, nodeSchema,
  } from 'tollkeeper-snap/client';
`;

const USE = `
  const endpoint = createRpcEndpoint(url, apiKey);
  const node = createRpcClient(nodeSchema, createHttpTransport(endpoint, { fetch }));
  const gasOptions = { gasBaseUrl: url, apiKey, apiKeySecret };
  const gas = createGasApi(createGasEndpoint(gasOptions), { fetch });
`;

describe.each(NODES)('the package in plain Node %s', (version, node) => {
  const PROGRAM = `
    ${IMPORTS}
    const [url, apiKey, apiKeySecret, hash] = process.argv.slice(2);
    ${USE}
    const [fees, receipt] = await Promise.all([
      gas.suggestedGasFees(31337n),
      node.request('eth_getTransactionReceipt', [hash]),
    ]);
    console.log(typeof fees.medium.suggestedMaxFeePerGas, receipt.status);
    const failure = await gas.suggestedGasFees(5n).catch((error) => error);
    console.log(failure instanceof HttpStatusError, failure.name, failure.status);
  `;

  it('requests fees and a receipt from a service, and exports its error classes', async () => {
    const { url } = bench.service;
    const ended = await consumer.run(PROGRAM, [url, KEY, SECRET, bench.hash], node);
    expect(ended).toMatchObject({
      code: 0,
      output: 'bigint 0x1\ntrue HttpStatusError 404\n',
    });
  });

  it('has a provider that reports that MetaMask is missing', async () => {
    const program = `
      import { createProvider, ProviderRpcError } from 'tollkeeper-snap/provider';
      const provider = createProvider();
      console.log(JSON.stringify(await provider.status()));
      const failure = await provider.request({ method: 'eth_accounts' }).catch((e) => e);
      console.log(failure instanceof ProviderRpcError, failure.code);
    `;
    const { output } = await consumer.run(program, [], node);
    expect(output).toBe('{"state":"no-metamask"}\ntrue 4900\n');
  });

  it('signs with the wallet for tests, both imported and required', async () => {
    const program = `
      import { createRequire } from 'node:module';
      const name = 'tollkeeper-snap/testing';
      console.log(process.version.startsWith(${JSON.stringify(version.startsWith('v') ? version : `v${version}.`)}));
      for (const library of [await import(name), createRequire(import.meta.url)(name)]) {
        const { provider } = await library.createTollkeeper();
        const [address] = await provider.request({ method: 'eth_requestAccounts' });
        const request = { method: 'personal_sign', params: ['0x1234', address] };
        console.log(address, await provider.request(request));
      }
    `;
    const { output } = await consumer.run(program, [], node);
    const signer = privateKeyToAccount(testKeys[0]);
    const signature = await signer.signMessage({ message: { raw: '0x1234' } });
    const line = `${signer.address.toLowerCase()} ${signature}`;
    expect(output.trim().split('\n')).toStrictEqual(['true', line, line]);
  });

  it('exports only the libraries', async () => {
    const program = `
      const names = ['tollkeeper-snap', 'tollkeeper-snap/dist/bundle.js'];
      for (const name of names) await import(name).catch(({ code }) => console.log(code));
    `;
    const { output } = await consumer.run(program);
    expect(output.trim().split('\n')).toStrictEqual([
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ]);
  });
});

describe.each(['bundler', 'node16', 'nodenext'])(
  'the package with the %s module resolution',
  (moduleResolution) => {
    const types = `
      ${IMPORTS}
      import type { GasApi, NodeClient, Receipt, SuggestedGasFees } from 'tollkeeper-snap/client';
      import { announce, createProvider } from 'tollkeeper-snap/provider';
      import type { Provider, Status } from 'tollkeeper-snap/provider';
      import { installTollkeeper } from 'tollkeeper-snap/playwright';
      import { createTollkeeper } from 'tollkeeper-snap/testing';
      declare const url: string, apiKey: string, apiKeySecret: string;
      ${USE}
      export const typedGas: GasApi = gas;
      export const typedNode: NodeClient = node;
      export const fees: SuggestedGasFees = await gas.suggestedGasFees(1n);
      export const fee: bigint = fees.low.suggestedMaxFeePerGas;
      const hash = \`0x\${'00'.repeat(32)}\` as const;
      const receipt: Receipt | null = await node.request('eth_getTransactionReceipt', [hash]);
      export const block: \`0x\${string}\` | undefined = receipt?.blockNumber;
      export const isOurs = (error: Error) => error instanceof InvalidResponseError;
      // @ts-expect-error -- There is no such method.
      void node.request('eth_nothing', []);
      // @ts-expect-error -- A hash is missing.
      void node.request('eth_getTransactionReceipt', []);
      // @ts-expect-error -- Fees are bigints, not any.
      export const wrong: string = fees.low.suggestedMaxFeePerGas;
      const provider: Provider = createProvider({ version: '^0.1.0' });
      export const status: Status = await provider.status();
      provider.on('accountsChanged', (accounts: string[]) => accounts.length);
      export const stopAnnouncing: () => void = announce(provider, { name: 'Mine' });
      // @ts-expect-error -- There is no such option.
      createProvider({ snap: 'npm:other' });
      const tested = await createTollkeeper({
        accounts: [{ type: 'eip155:erc4337', entryPoint: '0.8' }],
        decide: ({ effects }) => (effects[0]?.kind === 'allow' ? 'reject' : { fee: 'low' }),
      });
      export const same: Provider = tested.provider;
      declare const page: Parameters<typeof installTollkeeper>[0];
      export const cost = installTollkeeper(page).then((each) => each.lastReview().maxCost);
      // @ts-expect-error -- There is no such level.
      tested.decide = { fee: 'highest' };
    `;

    it('type-checks without dependencies', async () => {
      expect(await consumer.check(types, moduleResolution)).toMatchObject({
        code: 0,
        output: '',
      });
    });
  },
);

// npm installs wagmi 3 with its own copy of @wagmi/core, which only wagmi can resolve.
it('loads the wagmi connector without @wagmi/core', async () => {
  await consumer.link('viem');
  const { code, output } = await consumer.run(`
    const { tollkeeper } = await import('tollkeeper-snap/wagmi');
    console.log(typeof tollkeeper);
  `);
  expect({ code, output }).toStrictEqual({ code: 0, output: 'function\n' });
});

describe.each(['@wagmi/core-2', '@wagmi/core'])(
  'the package, installed along with viem and %s,',
  (wagmi) => {
    beforeAll(async () => {
      await consumer.link('viem');
      await consumer.link('@wagmi/core', wagmi);
    });

    it.each([
      ['imported', 'await import(name)'],
      ['required', 'createRequire(import.meta.url)(name)'],
    ])('can be %s without side effects', async (_how, load) => {
      const program = `
      import { createRequire } from 'node:module';
      const before = Object.keys(globalThis).join();
      for (const entry of ${JSON.stringify(libraries)}) {
        const name = 'tollkeeper-snap/' + entry;
        const library = ${load};
        console.log(entry, Object.values(library).every((each) => each !== undefined));
      }
      console.log(Object.keys(globalThis).join() === before);
      console.log(process.getActiveResourcesInfo().includes('Timeout'));
    `;
      const { output } = await consumer.run(program);
      const loaded = libraries.map((entry) => `${entry} true`);
      expect(output.trim().split('\n')).toStrictEqual([...loaded, 'true', 'false']);
    });

    it.each([
      ['bundler', 'ts'],
      ['node16', 'ts'],
      ['node16', 'cts'],
      ['nodenext', 'cts'],
    ] as const)(
      'type-checks with %s in a .%s file',
      async (moduleResolution, extension) => {
        const attribute =
          moduleResolution === 'node16' && extension === 'cts'
            ? "with { 'resolution-mode': 'import' }"
            : '';
        const types = `
      import { createProvider } from 'tollkeeper-snap/provider';
      import { toTollkeeperSmartAccount } from 'tollkeeper-snap/viem';
      import { tollkeeper } from 'tollkeeper-snap/wagmi';
      import type { createConfig } from '@wagmi/core' ${attribute};
      import type { Chain, HttpTransport, PublicClient } from 'viem' ${attribute};
      import type { createBundlerClient } from 'viem/account-abstraction' ${attribute};
      declare const client: PublicClient<HttpTransport, Chain>;
      const connector: NonNullable<
        Parameters<typeof createConfig>[0]['connectors']
      >[number] = tollkeeper({ version: '^0.1.0' });
      const account = toTollkeeperSmartAccount({
        client,
        provider: createProvider(),
        entryPoint: '0.7',
      });
      export const options = account.then(
        (account): Parameters<typeof createBundlerClient>[0] =>
          ({ account, transport: client.transport as never }),
      );
      export const version = account.then((each): '0.7' => each.entryPoint.version);
      // @ts-expect-error -- There is no such version.
      void toTollkeeperSmartAccount({ client, provider: createProvider(), entryPoint: '0.5' });
      // @ts-expect-error -- There is no such option.
      tollkeeper({ snap: 'npm:other' });
      export { connector };
    `;
        // Type-checking viem and wagmi is slow.
        const options = { extension, skipLibCheck: true };
        expect(await consumer.check(types, moduleResolution, options)).toMatchObject({
          code: 0,
          output: '',
        });
      },
    );
  },
);

// The manifest's checksum covers every byte, so each file must be served unchanged.
it.each([
  ['keyring', DEV_SNAP],
  ['insight', INSIGHT_SNAP],
])("serves every file that the %s snap's manifest names", async (_name, root) => {
  const { files, locales, location } = await readSource(root);
  const { filePath, iconPath } = location.npm;
  const { url, stop } = await startStaticServer({ port: 0, folders: { '/': root } });
  try {
    const manifestPath = 'snap.manifest.json';
    for (const path of [manifestPath, filePath, iconPath, ...files, ...locales]) {
      const answer = await fetch(`${url}/${path}`);
      const text = await readFile(`${root}/${path}`, 'utf8');
      expect({ path, isSame: (await answer.text()) === text }).toStrictEqual({
        path,
        isSame: true,
      });
    }
  } finally {
    await stop();
  }
});

describe('npm run verify', () => {
  let folder: string;
  let published: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollkeeper-verify-'));
    published = (await packPackage(folder)).tarball;
  });

  afterAll(async () => rm(folder, { recursive: true, force: true }));

  /** Compares a package with one packed from the existing build. */
  async function compare(name: string): Promise<Verdict> {
    const target = await mkdtemp(join(folder, 'packed-'));
    const build = async ({ home }: { home: string | undefined }): Promise<string> =>
      (await packPackage(target, { home })).tarball;
    return verify(name, build, join(folder, 'compared'));
  }

  async function tamper(change: (root: string) => Promise<void>): Promise<string> {
    const parent = await mkdtemp(join(folder, 'tampered-'));
    await change(await unpack(published, join(parent, 'package')));
    const tarball = join(parent, 'tampered.tgz');
    await promisify(execFile)('tar', ['-czf', tarball, '-C', parent, 'package']);
    return tarball;
  }

  it('passes an identical package', async () => {
    const { count, differences } = await compare(published);
    expect(differences).toEqual([]);
    expect(count).toBeGreaterThan(40);
  });

  it('passes a package that names its repository', async () => {
    const target = await mkdtemp(join(folder, 'home-'));
    const { tarball } = await packPackage(target, { home: HOME });
    expect(await compare(tarball)).toMatchObject({ differences: [] });
  });

  it.each<[string, (root: string) => Promise<void>, string]>([
    [
      'one more byte in the bundle',
      async (root) => appendFile(join(root, 'dist/bundle.js'), ' '),
      'different: dist/bundle.js',
    ],
    [
      'one more file',
      async (root) => writeFile(join(root, 'dist/client/extra.js'), ''),
      'only in the published package: dist/client/extra.js',
    ],
    [
      'a missing file',
      async (root) => rm(join(root, 'locales/manifest/de.json')),
      'missing from the published package: locales/manifest/de.json',
    ],
  ])('reports %s', async (_, change, line) => {
    const { differences } = await compare(await tamper(change));
    expect(differences).toEqual([line]);
  });

  it('rejects a file that is not a package', async () => {
    const text = join(folder, 'text.tgz');
    await writeFile(text, 'no archive');
    await expect(compare(text)).rejects.toThrow(`${text} cannot be unpacked`);
    const other = await tamper(async (root) => rm(join(root, 'package.json')));
    await expect(compare(other)).rejects.toThrow('it has no valid package.json');
  });

  it.each([
    [[], 'Give a tarball or a version'],
    [['missing.tgz'], 'Unknown name "missing.tgz".'],
  ])('exits with code 2 for the arguments %j', async (args, message) => {
    const script = ['node_modules/tsx/dist/cli.mjs', 'dev/release/verify-main.ts'];
    const { code, output } = await runNode([...script, ...args]);
    expect(code).toBe(2);
    expect(output).toContain(message);
  });
});
