/**
 * The designs: data for the common layout. A template is a design with a style, such as `classic-blue`.
 *
 * Lengths are in points (1/72 inch) unless stated otherwise. The page is A4.
 */
import { required } from '#core/errors/index.ts'
import type { Family, Weight } from './font-files.ts'

export const PAGE = { width: 595.28, height: 841.89 } as const

/** A part of the head of an invoice. */
export type Area =
  | 'logo'
  | 'title'
  | 'facts'
  | 'factList'
  | 'factStrip'
  | 'supplier'
  | 'customer'
  | 'corrected'
  | 'qr'

/** A column of the head: areas from top to bottom, and share of the width. `fit` makes it as wide as its content. */
export interface HeadColumn {
  readonly areas: readonly Area[]
  readonly share: number | 'fit'
  readonly align?: 'start' | 'end'
}

/** Columns side by side. The width of an empty column is divided among the others. */
export interface HeadRow {
  readonly columns: readonly HeadColumn[]
  /** Rule above the row. */
  readonly rule?: 'strong' | 'hairline'
}

/** Font size, leading and weight of a text style. */
export interface Typography {
  readonly size: number
  readonly leading: number
  readonly weight: Weight
}

export type ColorName = 'ink' | 'soft' | 'faint' | 'accent' | 'tint' | 'line' | 'paper' | 'ghost'
export type Palette = Readonly<Record<ColorName, string>>

export interface Design {
  readonly family: Family
  readonly margin: { readonly top: number; readonly bottom: number; readonly side: number }
  /** Distance between columns, and between the parts of the page. */
  readonly gutter: number
  readonly gap: number
  readonly type: Readonly<
    Record<'title' | 'number' | 'name' | 'body' | 'strong' | 'label' | 'small' | 'total' | 'pay', Typography>
  >
  /** Height of a coloured band along the top edge; 0 for none. */
  readonly edge: number
  readonly logo: { readonly width: number; readonly height: number }
  /** Minimum side of the tax QR in millimetres; the law requires 30 to 40. */
  readonly qr: number
  readonly head: readonly HeadRow[]
  readonly title: { readonly color: ColorName; readonly numberBelow: boolean }
  readonly table: {
    /** Background of the column labels. */
    readonly head: 'band' | 'rules' | 'tint'
    readonly rows: 'hairlines' | 'zebra'
    /** Space above and below the text of a row (`padding`), and at the sides of a coloured row (`inset`). */
    readonly padding: number
    readonly inset: number
  }
  readonly pay: 'band' | 'rules' | 'tint'
}

const type = (size: number, leading: number, weight: Weight = 'regular'): Typography => ({
  size,
  leading,
  weight,
})

const CLASSIC: Design = {
  family: 'source-serif-4',
  margin: { top: 40, bottom: 44, side: 52 },
  gutter: 22,
  gap: 22,
  type: {
    title: type(17, 21, 'regular'),
    number: type(11, 15, 'strong'),
    name: type(11, 14, 'strong'),
    body: type(9.2, 12.6),
    strong: type(9.2, 12.6, 'strong'),
    label: type(8, 10.6, 'strong'),
    small: type(7.8, 10.4),
    total: type(11, 15, 'strong'),
    pay: type(18.5, 22, 'strong'),
  },
  edge: 0,
  logo: { width: 150, height: 52 },
  qr: 32,
  head: [
    {
      columns: [
        { areas: ['logo', 'supplier', 'customer'], share: 1.08 },
        { areas: ['qr'], share: 'fit' },
        { areas: ['title', 'facts', 'corrected'], share: 1, align: 'end' },
      ],
    },
  ],
  title: { color: 'accent', numberBelow: true },
  table: { head: 'rules', rows: 'hairlines', padding: 4.2, inset: 0 },
  pay: 'rules',
}

const MODERN: Design = {
  family: 'inter',
  margin: { top: 40, bottom: 42, side: 48 },
  gutter: 20,
  gap: 24,
  type: {
    title: type(18, 22, 'strong'),
    number: type(12, 16, 'regular'),
    name: type(10.5, 14, 'strong'),
    body: type(8.4, 12.2),
    strong: type(8.4, 12.2, 'strong'),
    label: type(7.2, 10, 'strong'),
    small: type(7.2, 10.2),
    total: type(9.6, 13.4, 'strong'),
    pay: type(19, 23, 'strong'),
  },
  edge: 9,
  logo: { width: 150, height: 46 },
  qr: 32,
  head: [
    {
      columns: [
        { areas: ['title'], share: 1 },
        { areas: ['logo'], share: 'fit', align: 'end' },
      ],
    },
    { columns: [{ areas: ['factStrip'], share: 1 }] },
    {
      columns: [
        { areas: ['qr'], share: 'fit' },
        { areas: ['supplier'], share: 1 },
        { areas: ['customer', 'corrected'], share: 1 },
      ],
    },
  ],
  title: { color: 'accent', numberBelow: false },
  table: { head: 'tint', rows: 'hairlines', padding: 5, inset: 8 },
  pay: 'band',
}

const COMPACT: Design = {
  family: 'ibm-plex-sans',
  margin: { top: 34, bottom: 36, side: 40 },
  gutter: 16,
  gap: 14,
  type: {
    title: type(13, 16, 'strong'),
    number: type(13, 16, 'regular'),
    name: type(9, 11.6, 'strong'),
    body: type(7.9, 10.4),
    strong: type(7.9, 10.4, 'strong'),
    label: type(7, 9.2, 'strong'),
    small: type(7, 9.2),
    total: type(9, 12, 'strong'),
    pay: type(14.5, 17.5, 'strong'),
  },
  edge: 0,
  logo: { width: 120, height: 30 },
  qr: 30,
  head: [
    {
      columns: [
        { areas: ['title'], share: 1 },
        { areas: ['logo'], share: 'fit', align: 'end' },
      ],
    },
    {
      rule: 'strong',
      columns: [
        { areas: ['qr'], share: 'fit' },
        { areas: ['factList'], share: 0.8 },
        { areas: ['supplier'], share: 1 },
        { areas: ['customer', 'corrected'], share: 1 },
      ],
    },
  ],
  title: { color: 'ink', numberBelow: false },
  table: { head: 'band', rows: 'zebra', padding: 2.6, inset: 5 },
  pay: 'tint',
}

const DESIGNS = { classic: CLASSIC, modern: MODERN, compact: COMPACT } as const

/**
 * Returns a palette. All palettes have the same text colours, of which the faintest has a contrast of 4.5 : 1 on paper.
 */
const palette = (accent: string, tint: string, line: string, ghost: string): Palette => ({
  ink: '#1b1f24',
  soft: '#4b535c',
  faint: '#6b737c',
  accent,
  tint,
  line,
  paper: '#ffffff',
  ghost,
})

/** Palettes of the designs. White on the accent colour has a contrast of at least 7 : 1. */
const STYLES: Readonly<Record<string, Palette>> = {
  blue: palette('#17457c', '#eef3f9', '#c3d0de', '#e9eef5'),
  green: palette('#1f5540', '#eef5f1', '#c2d3ca', '#e8f0ec'),
  wine: palette('#6e1f33', '#f8f0f2', '#dcc8cd', '#f3e9eb'),
  grey: palette('#30363d', '#f2f3f4', '#cdd1d5', '#ededee'),
}

/** All templates, as `<design>-<style>`. */
export const TEMPLATES: readonly string[] = Object.keys(DESIGNS).flatMap((design) =>
  Object.keys(STYLES).map((style) => `${design}-${style}`),
)

/** Returns the design and palette of a template, or null if it does not exist. */
export function designAndPaletteOf(template: string): { design: Design; palette: Palette } | null {
  if (!TEMPLATES.includes(template)) return null
  const [design, style] = template.split('-') as [keyof typeof DESIGNS, string]
  return { design: DESIGNS[design], palette: required(STYLES[style]) }
}
