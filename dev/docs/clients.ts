// Operations of dapps, and the reasons why some libraries do not support some of them. Tests
// perform the supported ones with each library.

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

export function listOperations(client: Client): Operation[] {
  const all = Object.keys(operations) as Operation[];
  return all.filter((operation) => !(operation in exceptions[client]));
}
