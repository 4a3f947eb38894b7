// The steps of the page: what each asks for, and what it keeps for those after it.
import { createOperationSteps } from './operation-steps.js';
import { keyring, rpc, snap, wallet } from './wallet.js';

const TEN_ETHER = '0x8ac7230489e80000';

/** Create the steps; `known` is what the earlier ones found out. */
export function createSteps(stack) {
  const scope = `eip155:${stack.chainId}`;
  const toTransaction = ({ account }) => [
    {
      from: account?.address ?? '0x…',
      to: stack.recipient,
      value: '0x38d7ea4c68000',
      data: '0x',
      chainId: `0x${stack.chainId.toString(16)}`,
    },
  ];
  return [
    {
      title: 'Install the snap',
      label: 'Install',
      run: () => wallet('wallet_requestSnaps', { [stack.snapId]: {} }),
    },
    {
      title: 'Tell it where the chain is (tollkeeper_setChain)',
      label: 'Set the chain',
      example: () => [
        {
          chainId: stack.chainId,
          rpcUrl: stack.service.url,
          gasBaseUrl: stack.service.url,
          apiKey: stack.service.apiKey,
          apiKeySecret: stack.service.apiKeySecret,
          bundlerUrl: stack.bundlerUrl,
        },
      ],
      run: (known, params) => snap(known, 'tollkeeper_setChain', params),
    },
    {
      title: 'Create an account (keyring_createAccount)',
      label: 'Create the account',
      example: () => ({ options: { type: 'eip155:eoa' } }),
      run: async (known, params) => {
        known.account = await keyring(known, 'keyring_createAccount', params);
        return known.account;
      },
    },
    {
      title: 'Create a smart account (ERC-4337)',
      label: 'Create the smart account',
      example: () => ({ options: { type: 'eip155:erc4337', scopes: [scope] } }),
      run: async (known, params) => {
        known.smart = await keyring(known, 'keyring_createAccount', params);
        return known.smart;
      },
    },
    {
      title: 'Give both 10 ETH of the development chain',
      label: 'Fund the accounts',
      run: async ({ account, smart }) => {
        for (const each of [account, smart]) {
          if (!each) throw new Error('Create both accounts first.');
          await rpc(stack.chainUrl, 'anvil_setBalance', [each.address, TEN_ETHER]);
        }
        return 'Both have 10 ETH.';
      },
    },
    {
      title: 'Connect this page (eth_requestAccounts)',
      label: 'Connect',
      run: (known) => snap(known, 'eth_requestAccounts'),
    },
    {
      title: 'personal_sign',
      label: 'Sign the message',
      example: ({ account }) => ['The toll is paid.', account?.address ?? '0x…'],
      run: (known, params) => snap(known, 'personal_sign', params),
    },
    {
      title: 'eth_signTypedData_v4',
      label: 'Sign the typed data',
      example: ({ account }) => [account?.address ?? '0x…', createTypedData(stack)],
      run: (known, params) => snap(known, 'eth_signTypedData_v4', params),
    },
    {
      title: 'eth_signTransaction, fees filled in',
      label: 'Sign the transaction',
      example: toTransaction,
      run: (known, params) => snap(known, 'eth_signTransaction', params),
    },
    {
      title: 'eth_sendTransaction, fees filled in',
      label: 'Send the transaction',
      example: toTransaction,
      run: async (known, params) => {
        const hash = await snap(known, 'eth_sendTransaction', params);
        const asked = { scope, params: [hash] };
        const receipt = await snap(known, 'eth_getTransactionReceipt', asked);
        return { hash, receipt };
      },
    },
    ...createOperationSteps(stack, scope),
  ];
}

function createTypedData({ chainId, entryPoint }) {
  return {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Receipt: [
        { name: 'toll', type: 'uint256' },
        { name: 'paidTo', type: 'string' },
      ],
    },
    primaryType: 'Receipt',
    domain: { name: 'Toll', chainId, verifyingContract: entryPoint },
    message: { toll: '21000', paidTo: 'the keeper' },
  };
}
