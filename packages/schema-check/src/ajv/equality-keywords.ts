import { type Ajv, type CodeKeywordDefinition, type KeywordCxt, _, stringify } from 'ajv'
import { areFewScalars, createLookup, findEqualItems } from '../keywords/canonical-json.ts'

/**
 * Replaces Ajv's `enum`, `const` and `uniqueItems`. Ajv's equality reads `constructor` and `toString` of a value, which are ordinary names in JSON,
 * and compares items pairwise.
 */
export function useJsonEquality(ajv: Ajv): void {
  for (const definition of [ENUM, CONST, UNIQUE_ITEMS]) {
    ajv.removeKeyword(String(definition.keyword))
    ajv.addKeyword(definition)
  }
}

const ENUM: CodeKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  error: {
    message: 'must be equal to one of the allowed values',
    params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
  },
  code: (cxt) => passIfAmong(cxt, cxt.schema),
}

const CONST: CodeKeywordDefinition = {
  keyword: 'const',
  error: {
    message: 'must be equal to constant',
    params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
  },
  code: (cxt) => passIfAmong(cxt, [cxt.schema]),
}

const UNIQUE_ITEMS: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: 'must NOT have duplicate items',
    params: ({ params }) => _`${params['same']}`,
  },
  code: (cxt) => {
    if (cxt.schema !== true) return
    const find = cxt.gen.scopeValue('keyword', { ref: findEqualItems, code: _`findEqualItems` })
    const same = cxt.gen.const('same', _`${find}(${cxt.data})`)
    cxt.setParams({ same })
    cxt.pass(_`${same} === undefined`)
  },
}

function passIfAmong(cxt: KeywordCxt, allowed: readonly unknown[]): void {
  const { data, gen } = cxt
  if (areFewScalars(allowed)) {
    const equal = allowed.map((value) => _`${data} === ${stringify(value)}`)
    cxt.pass(equal.reduce((either, next) => _`${either} || ${next}`, _`false`))
    return
  }
  const isAmong = gen.scopeValue('keyword', { ref: createLookup(allowed) })
  cxt.pass(_`${isAmong}(${data})`)
}

/**
 * Corrects `contains` in Ajv 8. Ajv treats an empty array like the array before it, and in first-error mode it skips keywords after an empty tuple.
 * So `contains` is checked before the keyword of tuples, and an empty array fails.
 */
export function fixContains(ajv: Ajv, before: string): void {
  const contains = ajv.getKeyword('contains')
  if (typeof contains !== 'object' || !('code' in contains)) return
  ajv.removeKeyword('contains')
  ajv.addKeyword({
    ...contains,
    before,
    code: (cxt: KeywordCxt, ruleType) => {
      const { allErrors, data, gen } = cxt
      const min: unknown = cxt.it.opts.next ? cxt.parentSchema['minContains'] : undefined
      const checkItems = (): void => contains.code(cxt, ruleType)
      if (min === 0) return checkItems()
      cxt.setParams({ min: typeof min === 'number' ? min : 1 })
      const isEmpty = _`${data}.length === 0`
      if (allErrors) return void gen.if(isEmpty, () => cxt.error(), checkItems)
      cxt.fail(isEmpty)
      return checkItems()
    },
  })
}
