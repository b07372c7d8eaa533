export { codeAddress, problemsAddress } from './addresses.ts'
