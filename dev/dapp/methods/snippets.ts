// A request as code to copy: as JSON, with viem, with ethers, and without a library. A library
// is used by the action that it has for the method. Where it has none, or params were edited
// into another shape, the request is made as it is.
import { hexToBigInt, isHex, type Hex } from 'viem';

import { findProviderRoute } from '../../../src/routes';
import type { Given, MethodRow, Params } from './given';
import { splitAddress } from './verify';

/** What a snippet is written for. */
export type Subject = { row: MethodRow; params: Params; given: Given };

/** The forms that a request can be shown in. */
export type Tongue = 'json' | 'viem' | 'ethers' | 'raw';

type Titled = { id: Tongue; title: string };

/** The forms with their titles. */
export const tongues: readonly [Titled, ...Titled[]] = [
  { id: 'json', title: 'Request (JSON)' },
  { id: 'viem', title: 'viem' },
  { id: 'ethers', title: 'ethers' },
  { id: 'raw', title: 'raw' },
];

/** Writes a request in one of its forms. */
export function writeSnippet(tongue: Tongue, subject: Subject): string {
  return {
    json: (): string => JSON.stringify(toRequest(subject), null, 2),
    viem: () => writeViem(subject),
    ethers: () => writeEthers(subject),
    raw: () => writeRaw(subject),
  }[tongue]();
}

/** The request that the provider is given. */
export function toRequest({ row, params, given }: Subject): {
  method: string;
  params: Params;
} {
  const request = { method: row.name, params };
  if (!row.isWallets) return request;
  return { method: 'wallet_invokeSnap', params: { snapId: given.snapId, request } };
}

// An idiom is written for params of one shape; edited params can have any.
function attempt<Idiom>(
  write: ((subject: Subject) => Idiom | undefined) | undefined,
  subject: Subject,
): Idiom | undefined {
  try {
    return write?.(subject);
  } catch {
    return undefined;
  }
}

// The published snap is the provider's default.
function writeProvider({ given: { snapId } }: Subject): string {
  return snapId === 'npm:tollkeeper-snap'
    ? 'createProvider()'
    : `createProvider(${print({ snapId })})`;
}

function writeImports(names: Record<string, readonly string[]>): string {
  return Object.entries({ ...names, 'tollkeeper-snap/provider': ['createProvider'] })
    .map(([module, own]) => `import { ${own.join(', ')} } from '${module}';\n`)
    .join('');
}

const viemClients = {
  wallet: { module: 'viem', create: 'createWalletClient' },
  public: { module: 'viem', create: 'createPublicClient' },
  bundler: { module: 'viem/account-abstraction', create: 'createBundlerClient' },
} as const;

/** Arguments of an action, and the chain that they name as `chain`. */
type ViemCall = { args?: unknown; chainId?: number };

type ReadViem = (subject: Subject) => ViemCall | undefined;

type ViemIdiom = {
  client: keyof typeof viemClients;
  /** What the answer is called. */
  result: string;
  action: string;
  read: ReadViem;
};

const on =
  (client: ViemIdiom['client']) =>
  (result: string, action: string, read: ReadViem): ViemIdiom => ({
    client,
    result,
    action,
    read,
  });

const [byWallet, byNode, byBundler] = [on('wallet'), on('public'), on('bundler')];

const withNothing: ReadViem = ({ params }) =>
  Array.isArray(params) && params.length === 0 ? {} : undefined;

const withOne =
  (name: string): ReadViem =>
  (subject) => {
    const one = readOne(subject);
    return one === undefined ? undefined : { args: { [name]: one } };
  };

const viemIdioms: Readonly<Record<string, ViemIdiom>> = {
  eth_requestAccounts: byWallet('addresses', 'requestAddresses', withNothing),
  eth_accounts: byWallet('addresses', 'getAddresses', withNothing),
  wallet_getPermissions: byWallet('permissions', 'getPermissions', withNothing),
  wallet_requestPermissions: byWallet(
    'permissions',
    'requestPermissions',
    (subject) => {
      const args = readFields(subject, ['eth_accounts']);
      return args && { args };
    },
  ),
  personal_sign: byWallet('signature', 'signMessage', (subject) => {
    const { address: account, message, isBytes } = readMessage(subject);
    return { args: { account, message: isBytes ? { raw: message } : message } };
  }),
  eth_signTypedData_v4: byWallet('signature', 'signTypedData', (subject) => {
    const { address: account, ...args } = readTypedData(subject);
    return { args: { account, ...args } };
  }),
  eth_sendTransaction: byWallet('hash', 'sendTransaction', (subject) => {
    const { from: account, ...args } = readPayment(subject);
    // No chain: the one that MetaMask has selected for the site.
    return { args: { account, ...args, chain: null } };
  }),
  eth_sendRawTransaction: byWallet(
    'hash',
    'sendRawTransaction',
    withOne('serializedTransaction'),
  ),
  eth_getTransactionReceipt: byNode(
    'receipt',
    'getTransactionReceipt',
    withOne('hash'),
  ),
  eth_getTransactionByHash: byNode('transaction', 'getTransaction', withOne('hash')),
  eth_getUserOperationReceipt: byBundler(
    'receipt',
    'getUserOperationReceipt',
    withOne('hash'),
  ),
  eth_getUserOperationByHash: byBundler(
    'operation',
    'getUserOperation',
    withOne('hash'),
  ),
  eth_supportedEntryPoints: byBundler(
    'entryPoints',
    'getSupportedEntryPoints',
    withNothing,
  ),
  wallet_getCapabilities: byWallet('capabilities', 'getCapabilities', ({ params }) => {
    const [account, chains, ...others] = params as [Hex, Hex[]];
    if (others.length > 0 || chains.length !== 1 || !isHex(account)) return undefined;
    return { args: { account, chainId: Number(chains[0]) } };
  }),
  wallet_sendCalls: byWallet('batch', 'sendCalls', readCalls),
  wallet_getCallsStatus: byWallet('status', 'getCallsStatus', withOne('id')),
  wallet_showCallsStatus: byWallet('shown', 'showCallsStatus', withOne('id')),
};

function writeViem(subject: Subject): string {
  const idiom = viemIdioms[subject.row.name];
  const call = attempt(idiom?.read, subject);
  // viem knows the types of standard methods alone.
  const request = 'request<{ Parameters: unknown; ReturnType: unknown }>';
  const { client, result, action } =
    idiom && call ? idiom : byWallet('result', request, withNothing);
  const { args, chainId }: ViemCall = call ?? { args: toRequest(subject) };
  const { module, create } = viemClients[client];
  const isOwnModule = module !== 'viem';
  const imports = writeImports({
    viem: [
      ...(isOwnModule ? [] : [create]),
      'custom',
      ...(chainId === undefined ? [] : ['defineChain']),
    ],
    ...(isOwnModule ? { [module]: [create] } : {}),
  });
  const chain = {
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  };
  return (
    `${imports}\nconst provider = ${writeProvider(subject)};\n` +
    `const client = ${create}({ transport: custom(provider) });\n` +
    `${chainId === undefined ? '' : `const chain = defineChain(${print(chain)});\n`}\n` +
    `const ${result} = await client.${action}(${args === undefined ? '' : print(args)});\n`
  );
}

type EthersIdiom = {
  /** What is imported beside the provider. */
  imports?: readonly string[];
  /** Whose signer is needed. */
  signer?: string;
  line: string;
};

const byProvider =
  (result: string, action: string) =>
  (subject: Subject): EthersIdiom | undefined => {
    const one = readOne(subject);
    if (one === undefined) return undefined;
    return { line: `const ${result} = await provider.${action}(${print(one)});` };
  };

const ethersIdioms: Readonly<
  Record<string, (subject: Subject) => EthersIdiom | undefined>
> = {
  personal_sign: (subject) => {
    const { address, message, isBytes } = readMessage(subject);
    const text = isBytes ? `getBytes(${print(message)})` : print(message);
    return {
      imports: isBytes ? ['getBytes'] : [],
      signer: address,
      line: `const signature = await signer.signMessage(${text});`,
    };
  },
  eth_signTypedData_v4: (subject) => {
    const { address, domain, types, message } = readTypedData(subject);
    return {
      signer: address,
      line:
        `const domain = ${print(domain)};\nconst types = ${print(types)};\n` +
        `const message = ${print(message)};\n\n` +
        'const signature = await signer.signTypedData(domain, types, message);',
    };
  },
  eth_sendTransaction: (subject) => {
    const { from, ...payment } = readPayment(subject);
    const sent = print(payment);
    return {
      signer: from,
      line: `const { hash } = await signer.sendTransaction(${sent});`,
    };
  },
  eth_sendRawTransaction: byProvider('transaction', 'broadcastTransaction'),
  eth_getTransactionReceipt: byProvider('receipt', 'getTransactionReceipt'),
  eth_getTransactionByHash: byProvider('transaction', 'getTransaction'),
};

function writeEthers(subject: Subject): string {
  const { method, params } = toRequest(subject);
  const { imports, signer, line } = attempt(
    ethersIdioms[subject.row.name],
    subject,
  ) ?? {
    line: `const result: unknown = await provider.send(${print(method)}, ${print(params)});`,
  };
  return (
    `${writeImports({ ethers: ['BrowserProvider', ...(imports ?? [])] })}\n` +
    `const provider = new BrowserProvider(${writeProvider(subject)});\n` +
    `${signer === undefined ? '' : `const signer = await provider.getSigner(${print(signer)});\n`}\n` +
    `${line}\n`
  );
}

// Without the provider MetaMask is asked to invoke the snap.
function writeRaw(subject: Subject): string {
  const { row, given } = subject;
  const request = { method: row.name, params: addChain(subject) };
  const params = { snapId: given.snapId, request };
  return `const result = await window.ethereum.request(${print({
    method: 'wallet_invokeSnap',
    params,
  })});\n`;
}

// The provider names the chain that MetaMask has selected for the site: here it must be said.
function addChain({ row, params, given: { chainId } }: Subject): Params {
  const route = findProviderRoute(row.name);
  const [transaction] = Array.isArray(params) ? (params as unknown[]) : [];
  const isOnChain =
    route === 'on-chain' ||
    route === 'look-up' ||
    (route === 'transaction' && !('chainId' in Object(transaction)));
  if (!isOnChain || !Array.isArray(params) || chainId === undefined) return params;
  return { scope: `eip155:${BigInt(chainId)}`, params };
}

type Fields = Record<string, unknown>;

type Types = Record<string, { name: string; type: string }[]>;

// What does not have the shape that an idiom is for: the request is made as it is.
function refuse(): never {
  throw new Error('The params have another shape.');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The one string in params.
function readOne({ params }: Subject): string | undefined {
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [one] = params as unknown[];
  return typeof one === 'string' ? one : undefined;
}

// The one object in params, if it has no other fields than these.
function readFields({ params }: Subject, names: readonly string[]): Fields | undefined {
  if (!Array.isArray(params) || params.length !== 1) return undefined;
  const [fields] = params as unknown[];
  if (!isFields(fields)) return undefined;
  return Object.keys(fields).every((name) => names.includes(name)) ? fields : undefined;
}

// A payment on the selected chain, with its value in wei.
function readPayment(subject: Subject): {
  from: Hex;
  to?: Hex;
  value?: bigint;
  data?: Hex;
} {
  const names = ['from', 'to', 'value', 'data', 'chainId'];
  const { from, to, value, data, chainId } = readFields(subject, names) ?? {};
  if (chainId !== undefined && chainId !== subject.given.chainId) return refuse();
  if (!isHex(from) || (to !== undefined && !isHex(to))) return refuse();
  return {
    from,
    ...(to === undefined ? {} : { to }),
    ...(isHex(value) ? { value: hexToBigInt(value) } : {}),
    ...(isHex(data) && data !== '0x' ? { data } : {}),
  };
}

function readMessage({ params }: Subject): {
  address: Hex;
  message: string;
  isBytes: boolean;
} {
  if (!Array.isArray(params) || params.length !== 2) return refuse();
  const { address, other } = splitAddress(params);
  if (typeof other !== 'string' || !isHex(address)) return refuse();
  return { address, message: other, isBytes: isHex(other) };
}

function readTypedData({ params }: Subject): {
  address: Hex;
  domain: Fields;
  types: Types;
  primaryType: string;
  message: Fields;
} {
  if (!Array.isArray(params) || params.length !== 2) return refuse();
  const { address, other } = splitAddress(params);
  if (!isHex(address) || !isFields(other)) return refuse();
  const { domain, types, primaryType, message } = other;
  if (!isFields(domain) || !isFields(types) || !isFields(message)) return refuse();
  if (typeof primaryType !== 'string') return refuse();
  // Libraries add the domain's type by themselves.
  const own = Object.entries(types as Types).filter(
    ([name]) => name !== 'EIP712Domain',
  );
  return {
    address,
    domain,
    types: Object.fromEntries(own),
    primaryType,
    message: toNumbers(message, primaryType, types as Types),
  };
}

// viem takes integers of more than 48 bits as bigints alone.
function toNumbers(message: Fields, type: string, types: Types): Fields {
  const convert = (value: unknown, own: string): unknown => {
    if (Array.isArray(value)) {
      const item = own.replace(/\[\d*\]$/u, '');
      return value.map((each) => convert(each, item));
    }
    if (isFields(value)) return toNumbers(value, own, types);
    const bits = Number(/^u?int(\d+)$/u.exec(own)?.[1] ?? 0);
    if (bits === 0) return value;
    return bits > 48 ? BigInt(String(value)) : Number(value);
  };
  const members = types[type] ?? [];
  return Object.fromEntries(
    members.map(({ name, type: own }) => [name, convert(message[name], own)]),
  );
}

type Calls = {
  from: Hex;
  chainId: Hex;
  atomicRequired: boolean;
  calls: { to?: Hex; value?: Hex; data?: Hex }[];
  capabilities?: unknown;
};

function readCalls(subject: Subject): ViemCall | undefined {
  const names = [
    'version',
    'from',
    'chainId',
    'atomicRequired',
    'calls',
    'capabilities',
  ];
  const fields = readFields(subject, names);
  if (!fields) return undefined;
  const { from, chainId, atomicRequired, calls, capabilities } = fields as Calls;
  const args = {
    account: from,
    chain: new Code('chain'),
    calls: calls.map(({ to, value, data }) => ({
      to,
      value: value === undefined ? undefined : hexToBigInt(value),
      data,
    })),
    ...(atomicRequired ? { forceAtomic: true } : {}),
    capabilities,
  };
  return { args, chainId: Number(chainId) };
}

/** Longest line. */
const WIDTH = 70;

/** Code that stands in a value as it is. */
class Code {
  constructor(readonly text: string) {}
}

// Prints a value as a literal of JavaScript as people write it: names without quotes, short
// lists on one line. Libraries that do so know neither bigints nor code in a value.
function print(value: unknown, indent = '', isFlat = false): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'undefined';
  }
  const printParts = (inner: string, flat: boolean): string[] =>
    Array.isArray(value)
      ? value.map((item) => print(item, inner, flat))
      : Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .map(([name, each]) => {
            const text = print(each, inner, flat);
            return each instanceof Code && text === name
              ? name
              : `${printName(name)}: ${text}`;
          });
  const [open, space, close] = Array.isArray(value) ? ['[', '', ']'] : ['{', ' ', '}'];
  const parts = printParts('', true);
  const line =
    parts.length === 0
      ? `${open}${close}`
      : `${open}${space}${parts.join(', ')}${space}${close}`;
  if (isFlat || line.length + indent.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const lines = printParts(inner, false).map((part) => `${inner}${part},\n`);
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

// `__proto__` would set the prototype; in brackets it is a name like any other.
function printName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quote(name);
}
