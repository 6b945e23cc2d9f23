export {
  META_ERROR,
  META_IDENTITY,
  META_CLIENT,
  META_MADE_BY,
  META_QUOTED,
  META_RE,
  META_STATUS,
  META_WARNINGS,
  META_WIRE,
  withOriginalWireFields,
} from './content/meta-keys.ts'
