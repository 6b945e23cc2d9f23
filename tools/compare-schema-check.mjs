// Compares @toolblocks/schema-check with the language's own RegExp and with plain Ajv, on many more generated pairs than the tests: node
// tools/compare-schema-check.mjs [patterns] [schema and value pairs]
import fc from 'fast-check'
import {
  agreesWithLanguage,
  patternsAndTexts,
} from '../packages/schema-check/src/patterns/pattern-law.support.ts'
import { agreesWithAjv, schemasAndValues } from '../packages/schema-check/src/schema-law.support.ts'

const [patterns = 60_000, pairs = 120_000] = process.argv.slice(2).map(Number)

const compared = { patterns: 0, texts: 0 }
fc.assert(
  fc.property(patternsAndTexts, (sample) => {
    compared.texts += agreesWithLanguage(sample)
    compared.patterns += 1
  }),
  { numRuns: patterns },
)
console.log(`patterns: ${compared.patterns}, with ${compared.texts} texts, 0 differences`)

const verdicts = { valid: 0, invalid: 0, unchecked: 0 }
const count = () => verdicts.valid + verdicts.invalid
while (count() < pairs)
  fc.assert(
    fc.property(schemasAndValues, (sample) => {
      for (const verdict of agreesWithAjv(sample)) verdicts[verdict] += 1
    }),
    { numRuns: 500 },
  )
console.log(`schema and value pairs: ${JSON.stringify(verdicts)}, 0 differences`)
