// The dialog for what MetaMask has confirmed already: shown only if the user wants to be asked
// twice. Who asks is what MetaMask says, and the dialog says so.
import { approveUnseen, toConfirmation } from '../methods';
import type { Asking, Confirmation, MethodServices } from '../methods';
import type { TextKey, Translate } from '../ui/i18n';
import type { Consent } from './consent';

/** What is asked once more, and how. */
export type SecondConfirmation = Pick<
  MethodServices,
  'requireConsent' | 'confirmsItself' | 'isFromDapp'
>;

/** What it needs. */
export type SecondConfirmationServices = {
  consent: Pick<Consent, 'require'>;
  /** Tell whether the user wants to be asked twice. */
  confirmsTwice: () => Promise<boolean>;
};

/** Requests of MetaMask that have something signed. */
const signing: readonly string[] = ['keyring_submitRequest', 'keyring_approveRequest'];

/** Get how a request of MetaMask is confirmed here. */
export async function findSecondConfirmation(
  { origin, method }: { origin: string; method: string },
  { consent, confirmsTwice }: SecondConfirmationServices,
): Promise<SecondConfirmation> {
  const confirmsItself = signing.includes(method) && (await confirmsTwice());
  return {
    confirmsItself,
    isFromDapp: false,
    requireConsent: async (asking) =>
      confirmsItself ? consent.require(origin, asTold(asking)) : approveUnseen(asking),
  };
}

/** Have a confirmation say that who asks is what MetaMask says. */
export function asTold<Approved>(asking: Asking<Approved>): Confirmation<Approved> {
  const confirmation = toConfirmation(asking);
  return {
    ...confirmation,
    takePicture: () => {
      const picture = confirmation.takePicture();
      return { ...picture, draw: (translate) => picture.draw(toldBy(translate)) };
    },
  };
}

// Every view labels who asks by the same text.
function toldBy(translate: Translate): Translate {
  const tell = (key: TextKey, values?: Record<string, string>): string =>
    translate(key === 'field.origin' ? 'field.originTold' : key, values);
  return Object.assign(tell, { language: translate.language });
}
