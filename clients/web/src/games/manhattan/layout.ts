// The layout of the six cities in the available space. Sizes in CSS pixels.

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** A site's size. */
  readonly site: { readonly width: number; readonly height: number };
  readonly head: number;
  readonly gap: number;
  /** With the floors of all players beside each tower. */
  readonly full: boolean;
}

function withColumns(columns: number, width: number, height: number): Layout {
  const rows = 6 / columns;
  const small = width < 600 || height < 380;
  const gap = small ? 7 : width < 900 ? 14 : 24;
  const head = small ? 20 : 26;
  const siteWidth = (width - gap * (columns - 1) - 2) / (columns * 3);
  const siteHeight = (height - head * rows - 2) / (rows * 3);
  // The ratio of height to width of a site is bounded both ways: towers are drawn in it.
  const site = {
    width: Math.min(siteWidth, siteHeight * 1.45),
    height: Math.min(siteHeight, siteWidth * 1.3),
  };
  return {
    columns,
    site,
    head,
    gap,
    width: columns * 3 * site.width + gap * (columns - 1) + 2,
    height: rows * (3 * site.height + head) + 2,
    full: site.width >= 70 && site.height >= 66,
  };
}

/** The layout with the largest sites. */
export function layoutFor(width: number, height: number): Layout {
  const layouts = [3, 2, 6, 1].map((columns) => withColumns(columns, width, height));
  const least = (layout: Layout): number => Math.min(layout.site.width, layout.site.height);
  return layouts.reduce((best, each) => (least(each) > least(best) ? each : best));
}
