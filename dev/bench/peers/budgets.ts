// What the ratio of ours to another snap's must not exceed, on Node 20 and on later ones:
// under SES, Node 20 stores into typed arrays slowly, which later engines do not.

/** A limit on Node 20, and on later ones. */
type Limit = [node20: number, later: number];

/** Limits by what is measured. */
const limits: Record<string, Limit> = {
  'cold start: install to first answer': [1, 1],
  personal_sign: [0.65, 0.75],
  'eth_signTypedData_v4: mail': [0.6, 1],
  'eth_signTypedData_v4: Permit2': [0.5, 0.8],
  'eth_signTypedData_v4: Seaport order': [0.2, 0.4],
  'eth_signTransaction of type 0x2': [1.3, 1.4],
  'first transaction of a fresh worker': [1.2, 1.2],
  createAccount: [1, 1],
  'personal_sign: 1,000 accounts beside one, Tollkeeper alone': [1.1, 1.1],
  eth_signUserOperation: [0.5, 0.5],
};

/** Find the limit of a ratio, if there is one. */
export function findLimit(what: string, nodeMajor: number): number | undefined {
  const limit = limits[what];
  return nodeMajor <= 20 ? limit?.[0] : limit?.[1];
}
