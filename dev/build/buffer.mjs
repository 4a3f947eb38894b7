// Provides the Buffer that eth-sig-util needs and browsers lack.
export { Buffer } from 'buffer';
