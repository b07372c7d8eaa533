/** The words of the site around its pages. */
export const MESSAGES = {
  en: {
    description:
      'Checks, completes and calculates Spanish invoices; makes the records of VeriFactu and the SII.',
    guides: 'Guides',
    reference: 'Reference',
    codes: 'Codes',
    playground: 'Playground',
    footer: 'cuadra, under the MIT licence.',
  },
  es: {
    description:
      'Comprueba, completa y calcula facturas españolas, y genera los registros de VeriFactu y del SII.',
    guides: 'Guías',
    reference: 'Referencia',
    codes: 'Códigos',
    playground: 'Probar',
    footer: 'cuadra, con licencia MIT.',
  },
}

export const THEME_ES = {
  outline: { level: [2, 3], label: 'En esta página' },
  docFooter: { prev: 'Anterior', next: 'Siguiente' },
  darkModeSwitchLabel: 'Aspecto',
  lightModeSwitchTitle: 'Cambiar a modo claro',
  darkModeSwitchTitle: 'Cambiar a modo oscuro',
  sidebarMenuLabel: 'Menú',
  returnToTopLabel: 'Volver arriba',
  langMenuLabel: 'Cambiar de idioma',
  skipToContentLabel: 'Saltar al contenido',
  notFound: {
    title: 'PÁGINA NO ENCONTRADA',
    quote: 'La dirección no existe o la página ha cambiado de sitio.',
    linkLabel: 'ir al inicio',
    linkText: 'Ir al inicio',
  },
}

export const SEARCH_ES = {
  button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' },
  modal: {
    displayDetails: 'Mostrar más detalle',
    resetButtonTitle: 'Borrar la búsqueda',
    backButtonTitle: 'Cerrar la búsqueda',
    noResultsText: 'Sin resultados para',
    footer: {
      selectText: 'abrir',
      selectKeyAriaLabel: 'Intro',
      navigateText: 'moverse',
      navigateUpKeyAriaLabel: 'flecha arriba',
      navigateDownKeyAriaLabel: 'flecha abajo',
      closeText: 'cerrar',
      closeKeyAriaLabel: 'Escape',
    },
  },
}
