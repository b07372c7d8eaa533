export { codeAddress, problemsAddress } from './site-addresses.ts'
