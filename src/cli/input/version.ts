/** The version of the package that is running. */
export { version } from '../../../package.json'
