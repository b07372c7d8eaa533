/** Generates the Python types of the canonical invoice from the bundle of all schemas. */

/** Returns the class name of a member, such as `InvoiceCurrency` of `invoice_currency`. */
const classOf = (name) => name.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())

const PYTHON_TYPES = { string: 'str', integer: 'int', number: 'Union[int, Decimal]', boolean: 'bool' }

export function pythonTypes({ $defs }) {
  const classes = new Map()

  function typeOf(node, name) {
    const { $ref, description: _, ...own } = node
    if ($ref && Object.keys(own).every((key) => key === 'readOnly'))
      return typeOf($defs[$ref.slice('#/$defs/'.length)], name)
    if (node.enum && node.enum.length <= 12)
      return `Literal[${node.enum.map((value) => JSON.stringify(value)).join(', ')}]`
    if ('const' in node) return `Literal[${JSON.stringify(node.const)}]`
    if (node.type === 'array')
      return `list[${node.items ? typeOf(node.items, name.replace(/s$/, '')) : 'Any'}]`
    if (node.properties) return addClass(node.title ?? classOf(name), node)
    if (node.type === 'object') return 'dict[str, Any]'
    const types = [node.type].flat().map((type) => (type === 'null' ? 'None' : (PYTHON_TYPES[type] ?? 'Any')))
    return types.length === 1 ? types[0] : `Union[${types.join(', ')}]`
  }

  function addClass(title, { properties, description }) {
    const members = Object.entries(properties)
      // Omits `$schema`, which is not a valid Python name.
      .filter(([name, node]) => node !== false && /^\w+$/.test(name))
      .map(([name, node]) => `    ${name}: ${typeOf(node, `${title}_${name}`)}`)
    const text = `class ${title}(TypedDict, total=False):\n${description ? `    """${description}"""\n\n` : ''}${members.join('\n')}\n`
    if ((classes.get(title) ?? text) !== text) throw new Error(`two schemas have the name ${title}`)
    classes.set(title, text)
    return title
  }

  const document = typeOf($defs.json_1_1, 'document')
  return `"""The canonical invoice json_1_1, generated from schemas/*.json by scripts/generate.mjs. Do not edit."""

# ruff: noqa: E501
from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal, TypedDict, Union


${[...classes.values()].join('\n\n')}

Document = ${document}
`
}
