// A refusal that says that an address serves no new account of ours, whatever we do.
import { InvalidParamsError } from '../errors';

/** MetaMask holds an account's address already, in another keyring. */
export class HeldElsewhereError extends InvalidParamsError {}
