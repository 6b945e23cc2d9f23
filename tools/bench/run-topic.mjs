// Measures one topic in a process of its own, and prints its rows as JSON: node tools/bench/run-topic.mjs TOPIC quick|full [--large]
import { PACES } from './measure.mjs'

const [topic = '', form = 'full', ...flags] = process.argv.slice(2)
const { measure } = await import(`./topics/${topic}.mjs`)
const rows = await measure({ ...PACES[form], large: flags.includes('--large') })
process.stdout.write(JSON.stringify(rows))
