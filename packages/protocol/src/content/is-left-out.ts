import { isJsonObject } from '../json/fields.ts'
import { META_IDENTITY } from '../meta-keys.ts'
import type { ResourceLink } from './content-block.ts'

/** Says whether a link stands for a resource that a result held, and whose content was left out of it since: it leads to nothing that could be read. */
export function isLeftOut({ _meta: meta }: Pick<ResourceLink, '_meta'>): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_IDENTITY)
}
