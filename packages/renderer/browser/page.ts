import { defineCode } from './code-element.ts'
import { defineDiff } from './diff-element.ts'
import { defineTable } from './table-element.ts'
import { defineTree } from './tree-element.ts'

// The page is readable without this script. Each element only adds functions for the reader.
defineCode()
defineDiff()
defineTable()
defineTree()
