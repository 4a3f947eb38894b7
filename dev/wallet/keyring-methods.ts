// Which keyring methods MetaMask lets a website call through wallet_invokeKeyring,
// whatever the snap's own list of origins says.
import { KeyringRpcMethod } from '@metamask/keyring-api';
import { SubjectType, type SubjectMetadata } from '@metamask/permission-controller';

const WEBSITE_METHODS: string[] = [
  KeyringRpcMethod.ListAccounts,
  KeyringRpcMethod.GetAccount,
  KeyringRpcMethod.CreateAccount,
  KeyringRpcMethod.FilterAccountChains,
  KeyringRpcMethod.UpdateAccount,
  KeyringRpcMethod.DeleteAccount,
  KeyringRpcMethod.ExportAccount,
  KeyringRpcMethod.ListRequests,
  KeyringRpcMethod.GetRequest,
  KeyringRpcMethod.ApproveRequest,
  KeyringRpcMethod.RejectRequest,
];

/**
 * List the keyring methods that an origin may call.
 *
 * @param subject - What the wallet knows of the origin.
 * @returns Their names; empty for all but websites. Plain http is allowed, as in Flask.
 */
export function getKeyringMethods(subject: SubjectMetadata | undefined): string[] {
  return subject?.subjectType === SubjectType.Website &&
    /^https?:/u.test(subject.origin)
    ? WEBSITE_METHODS
    : [];
}
