/// Tables in which frameworks store their own data, such as the list of applied migrations.
enum FrameworkTables {
  private static let names: Set<String> = [
    // GRDB, Core Data, Android, Room
    "grdb_migrations", "z_metadata", "z_primarykey", "z_modelcache", "achange", "atransaction",
    "atransactionstring", "android_metadata", "room_master_table",
    // Rails, Django, Alembic, Doctrine, Phinx
    "schema_migrations", "ar_internal_metadata", "django_migrations", "django_content_type", "django_session",
    "django_admin_log", "alembic_version", "doctrine_migration_versions", "phinxlog",
    // Prisma, Knex, Sequelize, TypeORM, Drizzle
    "_prisma_migrations", "knex_migrations", "knex_migrations_lock", "sequelizemeta", "typeorm_metadata",
    "__drizzle_migrations",
    // Entity Framework, Diesel, SQLx, Goose, Flyway, Liquibase
    "__efmigrationshistory", "__efmigrationslock", "__diesel_schema_migrations", "_sqlx_migrations",
    "goose_db_version", "flyway_schema_history", "databasechangelog", "databasechangeloglock",
    // Litestream, Cloudflare, SpatiaLite
    "_litestream_seq", "_litestream_lock", "_cf_kv", "d1_migrations", "spatial_ref_sys", "geometry_columns",
  ]
  private static let prefixes = ["syncline_", "gpkg_", "ansck"]
  /// The columns of the table `migrations` of Laravel and TypeORM. A user's table may have the same name.
  private static let migrationColumns: Set<String> = ["id", "migration", "batch", "timestamp", "name"]

  static func contains(_ table: SQLiteTable) -> Bool {
    let name = table.name.lowercased()
    if names.contains(name) || prefixes.contains(where: name.hasPrefix) { return true }
    return name == "migrations" && migrationColumns.isSuperset(of: table.columns.map { $0.name.lowercased() })
  }
}
