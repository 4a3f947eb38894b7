// One example of each kind of request, for the connected accounts and the current chain.
import type { Session } from './session';

export type Example = { title: string; method: string; params: unknown };

type Row = [title: string, method: string, params: unknown];

/** The deterministic deployer, which exists on almost every chain. */
const CONTRACT = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const RECIPIENT = '0x000000000000000000000000000000000000bEEF';

/**
 * Lists the examples that the configuration allows. Network setup comes first.
 *
 * @param id - The hash of the last transaction, or the id of the last batch.
 */
export function listExamples(session: Session, id: string): Example[] {
  const { config, connected, chainId = '0x1' } = session;
  const find = (isSmart: boolean): string => {
    const wanted = connected.find(
      ({ type }) => (type === 'eip155:erc4337') === isSmart,
    );
    return (wanted ?? connected[0])?.address ?? RECIPIENT;
  };
  const [from, smart] = [find(false), find(true)];
  const payment = { from, to: RECIPIENT, value: '0x1' };
  const { value, to } = payment;
  const rows: Row[] = [
    ...listSetup(config),
    ['Switch the chain', 'wallet_switchEthereumChain', [{ chainId }]],
    ['Sign a message', 'personal_sign', ['The toll is paid.', from]],
    ['Sign typed data', 'eth_signTypedData_v4', [from, writeMail(chainId)]],
    ['Sign a transaction', 'eth_signTransaction', [payment]],
    ['Send a transaction', 'eth_sendTransaction', [payment]],
    ['Look up a receipt', 'eth_getTransactionReceipt', [id]],
    [
      'Send a batch of calls',
      'wallet_sendCalls',
      [
        {
          version: '2.0.0',
          from: smart,
          chainId,
          atomicRequired: true,
          calls: [
            { to, value },
            { to, value },
          ],
        },
      ],
    ],
    ['Look up a batch', 'wallet_getCallsStatus', [id]],
    [
      'Send a user operation',
      'eth_sendUserOperation',
      { account: smart, params: [{ to, value, data: '0x' }] },
    ],
    ['Suggest fees', 'tollkeeper_getFeeLevels', []],
    [
      'List what others may spend',
      'tollkeeper_getPermissions',
      [{ account: from, chainId }],
    ],
    ['Disconnect the page', 'wallet_revokePermissions', [{ eth_accounts: {} }]],
    ['Describe every method', 'rpc.discover', []],
  ];
  return rows.map(([title, method, params]) => ({ title, method, params }));
}

function listSetup(config: Session['config']): Row[] {
  const { chainId, chainUrl, service, bundlerUrl, paymasterUrl } = config;
  if (chainId === undefined) return [];
  const { url, ...access } = service ?? {};
  const servers = { rpcUrl: url, gasBaseUrl: url, ...access, bundlerUrl, paymasterUrl };
  const network = {
    chainId: `0x${chainId.toString(16)}`,
    chainName: 'Tollkeeper development',
    rpcUrls: [chainUrl],
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  };
  const add: Row = [
    'Add the network to MetaMask',
    'wallet_addEthereumChain',
    [network],
  ];
  const save: Row = [
    'Save its servers',
    'tollkeeper_setChain',
    [{ chainId, ...servers }],
  ];
  return chainUrl === undefined ? [save] : [add, save];
}

function writeMail(chainId: string) {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Mail: [{ name: 'contents', type: 'string' }],
    },
    primaryType: 'Mail',
    domain: {
      name: 'Ether Mail',
      chainId: Number(chainId),
      verifyingContract: CONTRACT,
    },
    message: { contents: 'The toll is paid.' },
  };
}
