export { codeAddress, commandLineAddress, problemsAddress } from './site-addresses.ts'
