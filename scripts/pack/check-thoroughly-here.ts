// Run by try-packages.ts with the folder where the packages are installed and the Node to run them with.
import { checkThoroughly } from './check-thoroughly.ts'

const [folder = '', node = process.execPath] = process.argv.slice(2)
await checkThoroughly({ folder, node })
