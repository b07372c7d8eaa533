/** A transaction that could not get through against others writing the same rows. */
import { CuadraError } from '../../errors/index.ts'

export class RaceError extends CuadraError {
  override readonly kind = 'busy'
}
