// Calls that change who controls a Safe: whoever gets an owner's signature for one of them
// can have the whole account.

/** Signatures by selector; the tests compare each pair. */
export const safeControls: Readonly<Record<string, string>> = {
  '0x0d582f13': 'addOwnerWithThreshold(address,uint256)',
  '0xf8dc5dd9': 'removeOwner(address,address,uint256)',
  '0xe318b52b': 'swapOwner(address,address,address)',
  '0x694e80c3': 'changeThreshold(uint256)',
  '0x610b5925': 'enableModule(address)',
  '0xe19a9dd9': 'setGuard(address)',
  '0xf08a0323': 'setFallbackHandler(address)',
};
