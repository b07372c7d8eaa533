/**
 * The packages as strangers meet them: what is in them, in empty projects, as a server, in a container, as an action.
 *
 * @slow
 */
import './contents.ts'
import './projects.ts'
import './server.ts'
import './container.ts'
import './action.ts'
