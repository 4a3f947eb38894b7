// Operations of dapps on Tollkeeper's provider, with the reasons why a library does not support
// some. The library tests perform all others; `npm run docs` writes the table.

/** A dapp's operations, with their titles in the table. */
export const operations = {
  connect: 'connect, and learn account and network',
  signMessage: 'sign a message',
  signIn: 'sign in (EIP-4361)',
  signTypedData: 'sign typed data',
  send: 'send ether, and wait for the receipt',
  sendLegacy: 'send with its own gas price',
  deploy: 'deploy a contract',
  write: 'write to a contract, and read from it',
  sendBatch: 'send a batch of calls',
  getCapabilities: 'list capabilities (EIP-5792)',
  useNetwork: 'add a network, switch to it, and send there',
  refuse: "report the user's refusal as such",
} as const;

export type Operation = keyof typeof operations;

export type Client = 'viem' | '@wagmi/core' | 'ethers' | 'web3' | 'permissionless';

const SMART = 'a SimpleAccount signs only transactions: it has no ERC-1271';

export const exceptions: Record<Client, Partial<Record<Operation, string>>> = {
  viem: {},
  '@wagmi/core': {},
  ethers: {},
  web3: {},
  permissionless: {
    signMessage: SMART,
    signIn: SMART,
    signTypedData: SMART,
    sendLegacy: 'user operations have no gas price',
    deploy: 'SimpleAccount cannot create contracts',
    getCapabilities: 'it has no such action',
    useNetwork: 'its client is for one network',
  },
};

/** Lists the operations that a library supports. */
export function listOperations(client: Client): Operation[] {
  const all = Object.keys(operations) as Operation[];
  return all.filter((operation) => !(operation in exceptions[client]));
}

/** Buttons of the test dapp that do not work, with the reason, by section.
 * test/browser/test-dapp.test.ts presses the others. */
export const testDapp: Record<string, Record<string, string>> = {
  'Eth Sign': {
    Sign: 'refused, as in MetaMask: the hash cannot be read',
  },
  'Encrypt / Decrypt': {
    all: "MetaMask answers only for its own accounts; Tollkeeper's keys only sign",
  },
  'EIP 5792': {
    'Send Calls, with an ordinary account':
      'the page demands an atomic batch, which takes a smart account; with one it is sent',
  },
  'ERC 721': {
    'Watch all NFTs': 'MetaMask watches tokens: the request is passed on to it',
    'NFT Permit, Verify':
      'the page leaves out `EIP712Domain`. Tollkeeper infers it, as viem and ethers do; the page verifies a signature without a domain',
  },
  'Malformed Signatures and Transactions': {
    'all but Extra Data': 'refused, with the path of the mistake',
  },
  'PPOM, Warning Bypasses': {
    all: 'refused: odd hex digits, a value without `0x`, a padded chain id, a number for an address',
  },
  'PPOM, Batching': {
    'Batch of 10':
      'a site may have only some confirmations open at a time; Queue of 10 works',
  },
  'ENS Resolution': {
    Submit: 'needs a network with ENS',
  },
  'Connect Actions': {
    'Wallet Connect, SDK Connect': 'other transports, which need servers of their own',
  },
};
