// Result types by method, for dapps in TypeScript: nearly all of the snap's methods for dapps, and
// the wallet and node methods that dapps use most.

export type Hex = `0x${string}`;

/** Results by method. Other methods have an `unknown` result. */
export type Answers = {
  eth_requestAccounts: Hex[];
  eth_accounts: Hex[];
  eth_coinbase: Hex | null;
  wallet_connect: Connected;
  wallet_disconnect: null;
  wallet_getPermissions: Permission[];
  wallet_requestPermissions: Permission[];
  wallet_revokePermissions: null;
  personal_sign: Hex;
  eth_signTypedData: Hex;
  eth_signTypedData_v1: Hex;
  eth_signTypedData_v3: Hex;
  eth_signTypedData_v4: Hex;
  eth_signTransaction: SignedTransaction;
  eth_fillTransaction: { raw: Hex; tx: FilledTransaction };
  eth_sendTransaction: Hex;
  eth_sendRawTransaction: Hex;
  tollkeeper_replaceTransaction: Hex;
  wallet_signAuthorization: SignedAuthorization;
  wallet_getCapabilities: Record<Hex, Capabilities>;
  wallet_sendCalls: { id: string };
  wallet_getCallsStatus: CallsStatus;
  wallet_showCallsStatus: null;
  tollkeeper_revoke: { id: string };
  eth_prepareUserOperation: PreparedOperation;
  eth_patchUserOperation: { paymasterAndData: Hex };
  eth_signUserOperation: Hex;
  eth_sendUserOperation: Hex;
  eth_estimateUserOperationGas: OperationGas;
  eth_supportedEntryPoints: Hex[];
  eth_getUserOperationReceipt: OperationReceipt | null;
  eth_getUserOperationByHash: NodeObject | null;
  tollkeeper_getFeeLevels: FeeLevelsAnswer;
  gas_suggestedGasFees: SuggestedFees;
  gas_baseFeePercentile: { baseFeePercentile: string };
  wallet_addEthereumChain: null;
  wallet_switchEthereumChain: null;
  wallet_watchAsset: boolean;
  eth_blockNumber: Hex;
  eth_call: Hex;
  eth_chainId: Hex;
  eth_estimateGas: Hex;
  eth_gasPrice: Hex;
  eth_getBalance: Hex;
  eth_getCode: Hex;
  eth_getTransactionCount: Hex;
  eth_getTransactionReceipt: TransactionReceipt | null;
  eth_getTransactionByHash: NodeObject | null;
  net_version: string;
};

export type Connected = {
  accounts: {
    address: Hex;
    capabilities: { signInWithEthereum?: { message: string; signature: Hex } };
  }[];
};

export type Permission = {
  invoker: string;
  parentCapability: 'eth_accounts';
  caveats: [{ type: 'restrictReturnedAccounts'; value: Hex[] }];
};

export type FilledTransaction = {
  type: '0x0' | '0x1' | '0x2' | '0x3' | '0x4';
  chainId: Hex;
  nonce: Hex;
  from: Hex;
  to: Hex | null;
  value: Hex;
  data: Hex;
  gasLimit: Hex;
  gasPrice?: Hex;
  maxFeePerGas?: Hex;
  maxPriorityFeePerGas?: Hex;
  maxFeePerBlobGas?: Hex;
  accessList?: { address: Hex; storageKeys: Hex[] }[];
  blobVersionedHashes?: Hex[];
  authorizationList?: SignedAuthorization[];
};

export type SignedTransaction = {
  v: Hex;
  r: Hex;
  s: Hex;
  tx?: FilledTransaction;
  raw?: Hex;
};

export type SignedAuthorization = {
  chainId: Hex;
  address: Hex;
  nonce: Hex;
  yParity: Hex;
  r: Hex;
  s: Hex;
};

export type Capabilities = {
  atomic: { status: 'supported' | 'ready' | 'unsupported' };
  paymasterService: { supported: boolean };
  gasLimitOverride: { supported: boolean };
};

/** An object from a node or bundler, which may have more fields than listed. */
export type NodeObject = Record<string, unknown>;

export type Log = { address: Hex; data: Hex; topics: Hex[] } & NodeObject;

export type CallsStatus = {
  version: '2.0.0';
  id: string;
  chainId: Hex;
  status: 100 | 200 | 400 | 500 | 600;
  atomic: boolean;
  receipts?: {
    logs: Log[];
    status: '0x0' | '0x1';
    blockHash: Hex;
    blockNumber: Hex;
    gasUsed: Hex;
    transactionHash: Hex;
  }[];
};

export type OperationGas = {
  callGasLimit: Hex;
  verificationGasLimit: Hex;
  preVerificationGas: Hex;
};

export type PreparedOperation = {
  callData: Hex;
  initCode: Hex;
  nonce: Hex;
  gasLimits?: OperationGas;
  dummySignature: Hex;
  dummyPaymasterAndData: Hex;
  bundlerUrl: string;
};

export type OperationReceipt = {
  userOpHash: Hex;
  sender: Hex;
  success: boolean;
  actualGasCost: Hex;
  logs: Log[];
} & NodeObject;

export type TransactionReceipt = {
  transactionHash: Hex;
  blockHash: Hex;
  blockNumber: Hex;
  gasUsed: Hex;
  logs: Log[];
  status?: Hex;
} & NodeObject;

export type FeePair = { maxFeePerGas: Hex; maxPriorityFeePerGas: Hex };

/** Fees in wei, in hex. */
export type FeeLevelsAnswer = {
  source: 'gas-api' | 'rollup-estimate' | 'fee-history' | 'base-fee' | 'gas-price';
  ageMs: number;
  estimatedBaseFee: Hex;
  low: FeePair;
  medium: FeePair;
  high: FeePair;
};

export type SuggestedLevel = {
  suggestedMaxFeePerGas: string;
  suggestedMaxPriorityFeePerGas: string;
  minWaitTimeEstimate: number;
  maxWaitTimeEstimate: number;
};

/** Fees in gwei, in decimal. */
export type SuggestedFees = {
  low: SuggestedLevel;
  medium: SuggestedLevel;
  high: SuggestedLevel;
  estimatedBaseFee: string;
  networkCongestion: number;
  latestPriorityFeeRange: [string, string];
  historicalPriorityFeeRange: [string, string];
  historicalBaseFeeRange: [string, string];
  priorityFeeTrend: 'up' | 'down';
  baseFeeTrend: 'up' | 'down';
};
