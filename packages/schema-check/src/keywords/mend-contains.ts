import { _, type Ajv, type KeywordCxt } from 'ajv'

/**
 * Ajv 8 takes an empty array, which contains nothing, for what the array before it was; and where it looks for the first
 * error only, it leaves out what comes after the items of a tuple when there are none. So `contains` comes before the
 * keyword of tuples, and an empty array fails.
 */
export function mendContains(ajv: Ajv, before: string): void {
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
