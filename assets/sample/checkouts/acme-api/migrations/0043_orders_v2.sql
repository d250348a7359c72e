-- Splits shipping from payment. Rollback: 0043_orders_v2.down.sql
create table orders_v2 (
    id bigint primary key,
    customer_id bigint not null,
    total_minor_units bigint not null
);
